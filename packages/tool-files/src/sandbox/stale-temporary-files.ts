import { randomBytes } from "node:crypto";
import fs from "node:fs";
import type { DirectoryHandle } from "./directory-handle.ts";

const TEMPORARY = /^\.dispatch-[0-9a-f]{18}\.tmp$/;

/**
 * Age in milliseconds at which a temporary file is stale: its writer was killed. A writer that was held up for longer
 * finds its file gone, and fails without having changed anything.
 */
const ABANDONED_MS = 3_600_000;
/** Milliseconds before a directory is looked through again. */
const INTERVAL_MS = 3_600_000;
/** Directories remembered, and entries read of one. */
const MAX_REMEMBERED = 512;
const MAX_ENTRIES = 20_000;

const looked = new Map<string, number>();

/** A new name for a temporary file, which is written first and then renamed. */
export function temporaryName(): string {
  return `.dispatch-${randomBytes(9).toString("hex")}.tmp`;
}

/** Whether a name is that of a temporary file, which is about to be renamed or removed. Listing and searching leave it out. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith(".dispatch-") && TEMPORARY.test(name);
}

/** Removes the stale temporary files of killed writers from a directory, at most once an hour for each directory. Never throws. */
export function removeStaleTemporaryFiles(directory: DirectoryHandle): void {
  const now = Date.now();
  try {
    const { dev, ino, birthtimeMs } = fs.statSync(directory.self);
    // With the time of creation: inode numbers are reused.
    const key = `${dev}:${ino}:${birthtimeMs}`;
    if (now - (looked.get(key) ?? 0) < INTERVAL_MS) return;
    if (looked.size >= MAX_REMEMBERED) looked.clear();
    looked.set(key, now);
    for (const name of temporaryFiles(directory)) {
      const stats = fs.lstatSync(directory.at(name));
      directory.verify();
      if (stats.isFile() && now - stats.mtimeMs > ABANDONED_MS) fs.unlinkSync(directory.at(name));
    }
  } catch {
    // Another writer was faster, or the directory may not be read: the next write here tries again.
  }
}

function temporaryFiles(directory: DirectoryHandle): readonly string[] {
  const found: string[] = [];
  const entries = fs.opendirSync(directory.self, { bufferSize: 1024 });
  try {
    for (let count = 0; count < MAX_ENTRIES; count += 1) {
      const entry = entries.readSync();
      if (entry === null) break;
      if (TEMPORARY.test(entry.name)) found.push(entry.name);
    }
  } finally {
    entries.closeSync();
  }
  directory.verify();
  return found;
}

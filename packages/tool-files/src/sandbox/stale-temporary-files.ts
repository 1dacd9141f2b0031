import { randomBytes } from "node:crypto";
import fs from "node:fs";
import type { DirectoryHandle } from "./directory-handle.ts";

const TEMPORARY = /^\.dispatch-[0-9a-f]{18}\.tmp$/;

/**
 * How old a temporary file is that nobody writes any more, in milliseconds. A writer that was held up for longer finds
 * its file gone, fails and has changed nothing.
 */
const ABANDONED_MS = 3_600_000;
/** How long a directory is not looked through again. */
const INTERVAL_MS = 3_600_000;
/** Directories remembered, and entries looked at in one. */
const MAX_REMEMBERED = 512;
const MAX_ENTRIES = 20_000;

const looked = new Map<string, number>();

/** A name for a file that is written before it gets its own. */
export function temporaryName(): string {
  return `.dispatch-${randomBytes(9).toString("hex")}.tmp`;
}

/** Removes what writers that were killed left in a directory, at most once an hour for each. Never throws. */
export function removeStaleTemporaryFiles(directory: DirectoryHandle, now: number = Date.now()): void {
  try {
    const { dev, ino, birthtimeMs } = fs.statSync(directory.self);
    // The time, since numbers are given anew.
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
    // Another writer was faster, or the directory may not be read: whoever writes here next tries again.
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

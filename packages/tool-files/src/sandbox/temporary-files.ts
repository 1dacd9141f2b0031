import { createHash, randomBytes } from "node:crypto";
import fs, { type BigIntStats } from "node:fs";
import { systemCode } from "../error/system-error.ts";
import { type DirectoryHandle, entriesOf, versionKey } from "./directory-handle.ts";

const TEMPORARY = /^\.dispatch-[0-9a-f]{18}\.tmp$/;
const LOCK = /^(\.dispatch-[0-9a-f]{18})-[0-9]{1,2}\.lock$/;
/** A directory into which a file is moved to be removed. */
const REMOVED = /^\.dispatch-[0-9a-f]{18}\.old$/;
/** The file in it. */
export const ASIDE = "file";

/** Locks of one version of a file. All but the first are needed only after killed or stopped writers. */
const MAX_LOCKS = 64;

/**
 * Age in milliseconds at which a temporary file is stale: its writer was killed. A writer that was held up for longer
 * finds its file gone, has changed nothing and writes anew.
 */
const ABANDONED_MS = 10_000;
/** Milliseconds before a directory is looked through again. */
const INTERVAL_MS = 10_000;
/** Directories remembered. */
const MAX_REMEMBERED = 512;
/** Entries of a directory that are looked at. Locks are removed only where that is all of them. */
const MAX_ENTRIES = 10_000;

const looked = new Map<string, number>();

/** A new name for a temporary file, which is written first and then renamed. */
export function temporaryName(): string {
  return `.dispatch-${randomBytes(9).toString("hex")}.tmp`;
}

/** Whether a name is that of a temporary file, a lock or the like, which is about to be renamed or removed. Listing and searching leave it out. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith(".dispatch-") && (TEMPORARY.test(name) || LOCK.test(name) || REMOVED.test(name));
}

/** The names of the locks of a version of a file, the first one first. */
export function lockNames(name: string, version: BigIntStats): readonly string[] {
  return Array.from({ length: MAX_LOCKS }, (_, index) => `${lockName(name, version)}-${index}.lock`);
}

function lockName(name: string, version: BigIntStats): string {
  const digest = createHash("sha256")
    .update(`${name}/${versionKey(version)}`)
    .digest("hex");
  return `.dispatch-${digest.slice(0, 18)}`;
}

/** The directory of the writer that removes a file and has a temporary file of this inode. */
export function asideName(ino: bigint): string {
  return `.dispatch-${ino.toString(16).padStart(18, "0")}.old`;
}

/** Makes the directory of {@link asideName}, in place of one whose writer is gone: the inode is another file's now. */
export function makeAside(directory: DirectoryHandle, ino: bigint): string {
  const name = asideName(ino);
  try {
    fs.mkdirSync(directory.at(name), 0o700);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    removeAside(directory, name);
    fs.mkdirSync(directory.at(name), 0o700);
  }
  return name;
}

/** Removes the directory of {@link asideName} with the file in it. Never throws. */
export function removeAside(directory: DirectoryHandle, name: string): void {
  try {
    const held = directory.enter(name);
    try {
      fs.unlinkSync(held.at(ASIDE));
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    } finally {
      held.close();
    }
    directory.verify();
    fs.rmdirSync(directory.at(name));
  } catch {
    // Another writer was faster.
  }
}

/** The temporary files of a directory, in no order. */
export function temporaryFiles(directory: DirectoryHandle): readonly string[] {
  return namesIn(directory, Infinity).filter((name) => TEMPORARY.test(name));
}

/**
 * Removes what killed writers left in a directory: temporary files, and locks of versions that no file there has any more. At
 * most every ten seconds for each directory. Never throws.
 */
export function removeStaleFiles(directory: DirectoryHandle): void {
  const now = Date.now();
  try {
    const { dev, ino, birthtimeMs } = fs.statSync(directory.self);
    // With the time of creation: inode numbers are reused.
    const key = `${dev}:${ino}:${birthtimeMs}`;
    if (now - (looked.get(key) ?? 0) < INTERVAL_MS) return;
    if (looked.size >= MAX_REMEMBERED) looked.clear();
    looked.set(key, now);
    const entries = namesIn(directory, MAX_ENTRIES);
    const stale = entries.filter((name) => isTemporaryName(name) && isAbandoned(directory, name, now));
    const hasLocks = stale.some((name) => LOCK.test(name));
    const kept = hasLocks && entries.length < MAX_ENTRIES ? currentLocks(directory, entries) : undefined;
    directory.verify();
    for (const name of stale) {
      const lock = LOCK.exec(name)?.[1];
      if (REMOVED.test(name)) removeAside(directory, name);
      else if (lock === undefined || kept?.has(lock) === false) fs.unlinkSync(directory.at(name));
    }
  } catch {
    // Another writer was faster, or the directory may not be read: a later write here tries again.
  }
}

function isAbandoned(directory: DirectoryHandle, name: string, now: number): boolean {
  const stats = fs.lstatSync(directory.at(name), { throwIfNoEntry: false });
  if (stats === undefined || !(REMOVED.test(name) ? stats.isDirectory() : stats.isFile())) return false;
  return now - (LOCK.test(name) ? stats.ctimeMs : stats.mtimeMs) > ABANDONED_MS;
}

/** The beginnings of the locks of all versions that files have now. Versions never come back, so no other lock is needed. */
function currentLocks(directory: DirectoryHandle, names: readonly string[]): ReadonlySet<string> {
  const locks = new Set<string>();
  for (const name of names) {
    if (isTemporaryName(name)) continue;
    const version = fs.lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false });
    if (version !== undefined) locks.add(lockName(name, version));
  }
  return locks;
}

function namesIn(directory: DirectoryHandle, most: number): readonly string[] {
  return entriesOf(directory, most).map(({ name }) => name);
}

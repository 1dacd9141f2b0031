import fs, { type BigIntStats } from "node:fs";
import { systemCode } from "../error/system-error.ts";
import { staleError, type DirectoryHandle } from "./directory-handle.ts";
import { versionKey } from "./file-identity.ts";
import { asideName, lockNames, temporaryFiles } from "./temporary-files.ts";

/** After how long a writer that holds a lock may be overtaken, in milliseconds. It usually takes a tenth of one. */
const ABANDONED_MS = 2000;

/**
 * Gives the finished file `temporary` the name `name`, unless `still` throws. Of several processes that replace the same
 * version `old` of a file, or make it, one succeeds. The others throw {@link staleError} and may read the file again.
 *
 * A rename of `temporary` commits the write: see {@link withLock}.
 */
export function publishFile(
  directory: DirectoryHandle,
  temporary: string,
  name: string,
  old: BigIntStats | undefined,
  still: () => void,
): void {
  directory.verify();
  if (old !== undefined) {
    const commit = () => orStale(() => fs.renameSync(directory.at(temporary), directory.at(name)));
    return withLock(directory, temporary, name, old, still, commit);
  }
  still();
  try {
    orStale(() => fs.linkSync(directory.at(temporary), directory.at(name)));
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw staleError();
    if (!lacksHardLinks(error)) throw error;
    fs.renameSync(directory.at(temporary), directory.at(name));
  }
  discard(directory, temporary);
}

/**
 * Calls `still`, then `commit`, while no other process may replace or remove the version `old` of the file `name`.
 * `temporary` is this writer's own file, whose name no other writer has, and which `commit` has to need.
 *
 * Each version of a file has a row of locks, names in its directory. A writer takes the first one that is free by a hard link
 * to its temporary file. To overtake a writer that was killed or stopped, another one removes that writer's temporary file
 * first, and then takes the next lock: so either the commit of the first succeeds or the overtaking does, and no clock decides which
 * write is lost. Locks are removed when the version is no longer the file's, after which `still` fails for everyone.
 */
export function withLock(
  directory: DirectoryHandle,
  temporary: string,
  name: string,
  old: BigIntStats,
  still: () => void,
  commit: () => void,
): void {
  const locks = takeLock(directory, temporary, name, old);
  let isGone = true;
  try {
    directory.verify();
    orStale(still);
    commit();
  } catch (error) {
    isGone = !isVersion(directory, name, old);
    throw error;
  } finally {
    if (isGone) for (const lock of locks) discard(directory, lock);
  }
}

/** Whether the file `name` is still the very version, byte for byte, that `seen` describes. */
export function isVersion(directory: DirectoryHandle, name: string, seen: BigIntStats): boolean {
  const now = fs.lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false });
  return now !== undefined && versionKey(now) === versionKey(seen);
}

/**
 * Takes the first lock that is free, and passes over those of writers that can no longer commit and of directories and the like,
 * which may stay for ever. The result are the locks up to the one it took; none where there are no hard links.
 */
function takeLock(directory: DirectoryHandle, temporary: string, name: string, old: BigIntStats): readonly string[] {
  const locks: string[] = [];
  for (const lock of lockNames(name, old)) {
    locks.push(lock);
    try {
      orStale(() => fs.linkSync(directory.at(temporary), directory.at(lock)));
      return locks;
    } catch (error) {
      if (lacksHardLinks(error)) return [];
      if (systemCode(error) !== "EEXIST") throw error;
    }
    overtake(directory, lock);
  }
  return [];
}

/** Makes sure that the writer which took the lock cannot commit. Throws {@link staleError} if it may be at work. */
function overtake(directory: DirectoryHandle, lock: string): void {
  const taken = fs.lstatSync(directory.at(lock), { bigint: true, throwIfNoEntry: false });
  if (taken === undefined) throw staleError();
  if (!taken.isFile()) return;
  if (Math.abs(Date.now() - Number(taken.ctimeNs / 1_000_000n)) < ABANDONED_MS) throw staleError();
  for (const temporary of temporaryFiles(directory)) {
    const path = directory.at(temporary);
    if (fs.lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino !== taken.ino) continue;
    directory.verify();
    orStale(() => fs.unlinkSync(path));
  }
  try {
    fs.rmdirSync(directory.at(asideName(taken.ino)));
  } catch (error) {
    // Where there is none, or a file was moved into it already.
    if (!["ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(systemCode(error) ?? "")) throw error;
  }
}

/** Error codes of `link` on file systems without hard links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** Whether an error of `link` means that the file system lacks hard links. */
export function lacksHardLinks(error: unknown): boolean {
  return NO_LINKS.has(systemCode(error) ?? "");
}

/** Does something to a file that another process may have taken away. */
export function orStale(act: () => void): void {
  try {
    act();
  } catch (error) {
    throw systemCode(error) === "ENOENT" ? staleError() : error;
  }
}

/** Removes a file, if it is still there. Never throws. */
export function discard(directory: DirectoryHandle, name: string): void {
  try {
    directory.verify();
    fs.unlinkSync(directory.at(name));
  } catch {
    // It is gone, was published, or was taken elsewhere with its directory.
  }
}

import fs, { type BigIntStats } from "node:fs";
import { systemCode } from "../error/system-error.ts";
import { type DirectoryHandle, staleError, versionKey, wrongKindError } from "./directory-handle.ts";
import {
  ASIDE,
  asideName,
  lockNames,
  makeAside,
  removeAside,
  removeStaleFiles,
  temporaryFiles,
  temporaryName,
} from "./temporary-files.ts";

// Windows lacks some of these flags: an undefined flag counts as 0 in `|`.
const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

/**
 * An atomic write: puts `bytes` in the place of the file `name`, whole or not at all: a reader sees the old file or the new one. Another
 * hard link to the old file keeps the old bytes. `old` is the file as found, whose permissions the new one gets;
 * `still` throws if the old file may no longer be replaced, and is asked last.
 */
export function replaceFile(
  directory: DirectoryHandle,
  name: string,
  bytes: Uint8Array,
  old: BigIntStats | undefined,
  still: () => void,
  executable?: boolean,
): void {
  const temporary = writeTemporary(directory, bytes, { old, executable });
  try {
    publishFile(directory, temporary, name, old, still);
  } catch (error) {
    discard(directory, temporary);
    throw error;
  }
  directory.verify();
}

/** Makes the file `name` with `bytes`. Of several at once exactly one succeeds; the others throw `EEXIST`. */
export function makeFile(
  directory: DirectoryHandle,
  name: string,
  bytes: Uint8Array,
  how: Pick<NewFile, "executable" | "mode"> = {},
): void {
  const temporary = writeTemporary(directory, bytes, how);
  try {
    directory.verify();
    orStale(() => fs.linkSync(directory.at(temporary), directory.at(name)));
  } catch (error) {
    if (!lacksHardLinks(error)) throw error;
    makeWithoutLinks(directory, name, temporary);
  } finally {
    discard(directory, temporary);
  }
  directory.verify();
}

/** An empty file takes the name, which one creator can do, and is replaced by the whole one. */
function makeWithoutLinks(directory: DirectoryHandle, name: string, temporary: string): void {
  directory.verify();
  const fd = fs.openSync(directory.at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    const empty = fs.fstatSync(fd, { bigint: true });
    assertUnchanged(directory, name, empty);
    fs.renameSync(directory.at(temporary), directory.at(name));
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Removes the very file or link that `seen` describes. It is moved into a directory of this writer's own first, without which a
 * writer that was overtaken moves nothing. Another program's file that has the name by then is put back, or becomes
 * `NAME.kept-…` where its own name is taken. `before` is called when no other writer may replace the file any more;
 * `isLocked`: none may, because this one holds the lock of that version.
 */
export function removeFile(
  directory: DirectoryHandle,
  name: string,
  seen: BigIntStats,
  { before = () => {}, isLocked = false }: { readonly before?: () => void; readonly isLocked?: boolean } = {},
): void {
  const still = () => assertUnchanged(directory, name, seen);
  let [temporary, aside]: (string | undefined)[] = [];
  let held: DirectoryHandle | undefined;
  try {
    temporary = writeTemporary(directory, new Uint8Array(), {});
    aside = makeAside(directory, fs.lstatSync(directory.at(temporary), { bigint: true }).ino);
    const into = (held = directory.enter(aside));
    const commit = () => {
      before();
      moveInto(directory, name, into, seen);
    };
    if (isLocked) commit();
    else withLock(directory, temporary, name, seen, still, commit);
  } catch (error) {
    // Another writer took this one for killed.
    if (systemCode(error) === "ENOENT") throw staleError();
    if (held !== undefined || !NO_SPACE.has(systemCode(error) ?? "")) throw error;
    // A full disk has no room for a lock, and to delete is how to get some.
    still();
    before();
    fs.unlinkSync(directory.at(name));
  } finally {
    held?.close();
    if (aside !== undefined) removeAside(directory, aside);
    if (temporary !== undefined) discard(directory, temporary);
  }
}

const NO_SPACE = new Set(["ENOSPC", "EDQUOT"]);

function moveInto(directory: DirectoryHandle, name: string, into: DirectoryHandle, seen: BigIntStats): void {
  const moved = into.at(ASIDE);
  orStale(() => fs.renameSync(directory.at(name), moved));
  const found = fs.lstatSync(moved, { bigint: true, throwIfNoEntry: false });
  // Where it is gone, another writer took this one for killed and has removed it.
  if (found === undefined || versionKey(found) === versionKey(seen)) return directory.verify();
  try {
    fs.linkSync(moved, directory.at(name));
  } catch {
    fs.renameSync(moved, directory.at(`${name}.kept-${temporaryName().slice(10, 16)}`));
  }
  throw staleError();
}

/** Permissions of a file that is written. Default: those of any new file. */
interface NewFile {
  /** The file it replaces, whose permissions it gets. */
  readonly old?: BigIntStats | undefined;
  readonly mode?: number | undefined;
  readonly executable?: boolean | undefined;
}

/** Writes a file of a name of its own. A failed write leaves none. */
function writeTemporary(directory: DirectoryHandle, bytes: Uint8Array, { old, mode, executable }: NewFile): string {
  removeStaleFiles(directory);
  const name = temporaryName();
  directory.verify();
  const isUsual = old === undefined && mode === undefined;
  const fd = fs.openSync(directory.at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, isUsual ? 0o666 : 0o600);
  try {
    // Nothing is written before it is sure where the file was made: here, and not meanwhile elsewhere and back.
    directory.verifyFile(name, fd);
    for (let done = 0; done < bytes.length;) done += fs.writeSync(fd, bytes, done);
    if (old !== undefined) copyPermissions(fd, old);
    if (mode !== undefined) fs.fchmodSync(fd, mode & 0o777);
    if (executable !== undefined) setExecutable(fd, executable);
    return name;
  } catch (error) {
    discard(directory, name);
    throw error;
  } finally {
    fs.closeSync(fd);
  }
}

/** Owner where the system lets us, then mode. The set-user and set-group bits are not for new contents. */
function copyPermissions(fd: number, old: BigIntStats): void {
  const made = fs.fstatSync(fd, { bigint: true });
  if (made.uid !== old.uid || made.gid !== old.gid) {
    try {
      fs.fchownSync(fd, Number(old.uid), Number(old.gid));
    } catch {
      // Not ours to give away: the file becomes the writer's, as with any editor that renames.
    }
  }
  fs.fchmodSync(fd, Number(old.mode & 0o777n));
}

/** Lets those who may read the file run it, or nobody. */
function setExecutable(fd: number, executable: boolean): void {
  const mode = fs.fstatSync(fd).mode & 0o777;
  fs.fchmodSync(fd, executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111);
}

/** Throws {@link staleError} unless `name` is still the very file, byte for byte, that `seen` describes. */
export function assertUnchanged(directory: DirectoryHandle, name: string, seen: BigIntStats): void {
  if (!isVersion(directory, name, seen)) throw staleError();
}

/** Throws {@link staleError} if there is something of that name. */
export function assertAbsent(directory: DirectoryHandle, name: string): void {
  if (fs.lstatSync(directory.at(name), { throwIfNoEntry: false }) !== undefined) throw staleError();
}

/** The file to be replaced, or `undefined` if there is none. Throws if it may not be written, though a rename could. */
export function replaceable(directory: DirectoryHandle, name: string): BigIntStats | undefined {
  let stats: BigIntStats;
  try {
    stats = fs.lstatSync(directory.at(name), { bigint: true });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
  if (!stats.isFile()) throw wrongKindError(stats);
  try {
    fs.closeSync(fs.openSync(directory.at(name), O_WRONLY | O_NOFOLLOW | O_NONBLOCK));
  } catch (error) {
    // A program that is running: its file may not be written, but may be replaced.
    if (systemCode(error) !== "ETXTBSY") throw error;
  }
  return stats;
}

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
function withLock(
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
function orStale(act: () => void): void {
  try {
    act();
  } catch (error) {
    throw systemCode(error) === "ENOENT" ? staleError() : error;
  }
}

/**
 * Calls `act` while no other writer of this package may replace the version `seen` of the file `name`, which need not have that name
 * yet; on a full disk without that. `check` is called just before.
 */
export function whileLocked(
  directory: DirectoryHandle,
  name: string,
  seen: BigIntStats,
  check: () => void,
  act: () => void,
): void {
  let temporary: string;
  try {
    temporary = writeTemporary(directory, new Uint8Array(), {});
  } catch (error) {
    if (!NO_SPACE.has(systemCode(error) ?? "")) throw error;
    return act();
  }
  try {
    check();
    withLock(directory, temporary, name, seen, () => {}, act);
  } finally {
    discard(directory, temporary);
  }
}

/** Removes a file, if it is still there. Never throws. */
function discard(directory: DirectoryHandle, name: string): void {
  try {
    directory.verify();
    fs.unlinkSync(directory.at(name));
  } catch {
    // It is gone, was published, or was taken elsewhere with its directory.
  }
}

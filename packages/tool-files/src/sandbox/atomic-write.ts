import fs, { type BigIntStats } from "node:fs";
import { systemCode } from "../error/system-error.ts";
import { staleError, wrongKindError, type DirectoryHandle } from "./directory-handle.ts";
import { versionKey } from "./file-identity.ts";
import { discard, isVersion, lacksHardLinks, orStale, publishFile, withLock } from "./publish-file.ts";
import { ASIDE, makeAside, removeAside, removeStaleFiles, temporaryName } from "./temporary-files.ts";

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
  const temporary = writeTemporary(directory, bytes, old, executable);
  try {
    publishFile(directory, temporary, name, old, still);
  } catch (error) {
    discard(directory, temporary);
    throw error;
  }
  directory.verify();
}

/** Makes the file `name` with `bytes`. Of several at once exactly one succeeds; the others throw `EEXIST`. */
export function makeFile(directory: DirectoryHandle, name: string, bytes: Uint8Array, executable?: boolean): void {
  const temporary = writeTemporary(directory, bytes, undefined, executable);
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
 * `NAME.kept-…` where its own name is taken.
 */
export function removeFile(directory: DirectoryHandle, name: string, seen: BigIntStats): void {
  const still = () => assertUnchanged(directory, name, seen);
  let [temporary, aside]: (string | undefined)[] = [];
  let held: DirectoryHandle | undefined;
  try {
    temporary = writeTemporary(directory, new Uint8Array(), undefined, undefined);
    aside = makeAside(directory, fs.lstatSync(directory.at(temporary), { bigint: true }).ino);
    const into = (held = directory.enter(aside));
    withLock(directory, temporary, name, seen, still, () => moveInto(directory, name, into, seen));
  } catch (error) {
    // Another writer took this one for killed.
    if (systemCode(error) === "ENOENT") throw staleError();
    if (held !== undefined || !NO_SPACE.has(systemCode(error) ?? "")) throw error;
    // A full disk has no room for a lock, and to delete is how to get some.
    still();
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

function writeTemporary(
  directory: DirectoryHandle,
  bytes: Uint8Array,
  old: BigIntStats | undefined,
  executable: boolean | undefined,
): string {
  removeStaleFiles(directory);
  const name = temporaryName();
  writeNew(directory, name, bytes, old, executable);
  return name;
}

/** Writes a file that must not exist. A failed write leaves none. */
function writeNew(
  directory: DirectoryHandle,
  name: string,
  bytes: Uint8Array,
  old: BigIntStats | undefined,
  executable: boolean | undefined,
): void {
  directory.verify();
  const fd = fs.openSync(
    directory.at(name),
    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
    old === undefined ? 0o666 : 0o600,
  );
  try {
    // Nothing is written before it is sure where the file was made: here, and not meanwhile elsewhere and back.
    directory.verifyFile(name, fd);
    for (let done = 0; done < bytes.length;) done += fs.writeSync(fd, bytes, done);
    if (old !== undefined) copyPermissions(fd, old);
    if (executable !== undefined) setExecutable(fd, executable);
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

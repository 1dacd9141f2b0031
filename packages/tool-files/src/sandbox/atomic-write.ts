import fs, { type BigIntStats } from "node:fs";
import { systemCode } from "../error/system-error.ts";
import { staleError, wrongKindError, type DirectoryHandle } from "./directory-handle.ts";
import { identityKey } from "./file-identity.ts";
import { lacksHardLinks } from "./hard-link-support.ts";
import { discard, publishFile } from "./publish-file.ts";
import { removeStaleTemporaryFiles, temporaryName } from "./stale-temporary-files.ts";

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
    fs.linkSync(directory.at(temporary), directory.at(name));
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
 * Removes the very file that `seen` describes. It is moved aside first: if it turns out to be another one by then, that
 * one is put back, or stays beside under its temporary name where its own is taken.
 */
export function removeFile(directory: DirectoryHandle, name: string, seen: BigIntStats): void {
  const aside = temporaryName();
  assertUnchanged(directory, name, seen);
  directory.verify();
  fs.renameSync(directory.at(name), directory.at(aside));
  const taken = fs.lstatSync(directory.at(aside), { bigint: true });
  // Not its time of change, which moving it may have set.
  if (taken.ino !== seen.ino || taken.size !== seen.size || taken.mtimeNs !== seen.mtimeNs) {
    fs.linkSync(directory.at(aside), directory.at(name));
    discard(directory, aside);
    throw staleError();
  }
  directory.verify();
  fs.unlinkSync(directory.at(aside));
}

function writeTemporary(
  directory: DirectoryHandle,
  bytes: Uint8Array,
  old: BigIntStats | undefined,
  executable: boolean | undefined,
): string {
  removeStaleTemporaryFiles(directory);
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
  const now = fs.lstatSync(directory.at(name), { bigint: true });
  if (identityKey(now) !== identityKey(seen)) throw staleError();
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

import fs, { type BigIntStats } from "node:fs";
import { FileExistsError, FilesError, WrongKindError } from "../error/files-error.ts";
import { systemCode } from "../error/system-error.ts";
import { removeFile } from "./atomic-write.ts";
import { staleError, systemErrorOf, wrongKindError, type DirectoryHandle } from "./directory-handle.ts";
import { isVersion, lacksHardLinks } from "./publish-file.ts";

/** How often a new name is taken back while other writers keep this one from it. */
const MAX_TAKE_BACK = 16;

export interface HeldName {
  readonly directory: DirectoryHandle;
  readonly name: string;
}

/** A regular file or directory that is to be moved, as it was found. */
export function movable({ directory, name }: HeldName, attempt: string): BigIntStats {
  const stats = fs.lstatSync(directory.at(name), { bigint: true });
  directory.verify();
  if (stats.isSymbolicLink())
    throw new WrongKindError(`${attempt}: it is a symbolic link, move the file or directory that it leads to`);
  if (!stats.isFile() && !stats.isDirectory()) throw systemErrorOf("ENOTREG");
  return stats;
}

/** Throws {@link FileExistsError} if there is something of that name, a dangling link among it. */
export function assertFree({ directory, name }: HeldName, attempt: string): void {
  if (fs.lstatSync(directory.at(name), { throwIfNoEntry: false }) === undefined) return;
  throw new FileExistsError(`${attempt}: something of the new name exists already, choose another name or remove it`);
}

/**
 * Moves the very file or directory that `seen` describes to a name that is free. It never replaces anything: a file gets
 * its new name by a hard link, and the system lets a directory replace nothing but an empty one.
 */
export function moveHeld(from: HeldName, to: HeldName, seen: BigIntStats, attempt: string): void {
  from.directory.verify();
  to.directory.verify();
  const source = from.directory.at(from.name);
  const target = to.directory.at(to.name);
  try {
    if (seen.isFile() && linked(source, target)) unlinkMoved(from, to, seen);
    else {
      assertFree(to, attempt);
      fs.renameSync(source, target);
      const moved = fs.lstatSync(target, { bigint: true });
      if (!isSame(moved, seen)) {
        // Another entry had the name by then: it goes back.
        fs.renameSync(target, source);
        throw staleError();
      }
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EXDEV")
      throw new FilesError(`${attempt}: the new place is on another disk, write the file there and delete it here`, {
        code: "io_error",
        cause: error,
      });
    if (code === "EEXIST" || code === "ENOTEMPTY") assertFree(to, attempt);
    throw error;
  }
}

/** Gives the file a second name. `false` where there are no hard links. */
function linked(source: string, target: string): boolean {
  try {
    fs.linkSync(source, target);
    return true;
  } catch (error) {
    if (lacksHardLinks(error)) return false;
    throw error;
  }
}

/** Removes the former name of a file that has two, or the new one if the former is another file's by now. */
function unlinkMoved(from: HeldName, to: HeldName, seen: BigIntStats): void {
  const second = fs.lstatSync(to.directory.at(to.name), { bigint: true });
  try {
    if (!isSame(second, seen)) throw staleError();
    removeFile(from.directory, from.name, second);
  } catch (error) {
    takeBack(to, second);
    throw error;
  }
}

/** Removes the new name of a file, unless that is another file's by now. */
function takeBack({ directory, name }: HeldName, second: BigIntStats): void {
  for (let tries = 0; tries < MAX_TAKE_BACK && isVersion(directory, name, second); tries += 1) {
    try {
      return removeFile(directory, name, second);
    } catch (error) {
      if (systemCode(error) !== "ESTALE") throw error;
    }
  }
}

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino && one.isFile() === other.isFile();
}

/** Removes the empty directory that `seen` describes. */
export function removeDirectory({ directory, name }: HeldName, seen: BigIntStats, attempt: string): void {
  directory.verify();
  const now = fs.lstatSync(directory.at(name), { bigint: true });
  if (!now.isDirectory()) throw wrongKindError(now);
  if (!isSame(now, seen)) throw staleError();
  try {
    fs.rmdirSync(directory.at(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY") throw error;
    throw new WrongKindError(`${attempt}: it is a directory with something in it, delete that first`, { cause: error });
  }
}

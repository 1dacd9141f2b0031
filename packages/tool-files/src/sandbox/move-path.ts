import fs, { type BigIntStats } from "node:fs";
import { FileExistsError, FilesError, SandboxError, WrongKindError } from "../error/files-error.ts";
import { printablePath } from "../error/printable-path.ts";
import { isVersion, lacksHardLinks, removeFile, whileLocked } from "./atomic-write.ts";
import { type DirectoryHandle, entriesOf, staleError, systemErrorOf, wrongKindError } from "./directory-handle.ts";

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
  try {
    // While the file has two names, nobody may take the new one for a file of its own. A lock of a name that is taken would stay for
    // two seconds.
    const isFree = () => assertFree(to, attempt);
    if (seen.isFile()) whileLocked(to.directory, to.name, seen, isFree, () => moveFile(from, to, seen, attempt));
    else renameHeld(from, to, seen, attempt);
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

/** Gives the file its new name and takes the former one, or the new one back where that fails. */
function moveFile(from: HeldName, to: HeldName, seen: BigIntStats, attempt: string): void {
  const target = to.directory.at(to.name);
  let second: BigIntStats | undefined;
  const before = () => {
    fs.linkSync(from.directory.at(from.name), target);
    second = fs.lstatSync(target, { bigint: true });
    if (!isSame(second, seen)) throw staleError();
  };
  try {
    removeFile(from.directory, from.name, seen, { before });
  } catch (error) {
    if (second === undefined && lacksHardLinks(error)) return renameHeld(from, to, seen, attempt);
    if (second !== undefined && isVersion(to.directory, to.name, second))
      removeFile(to.directory, to.name, second, { isLocked: true });
    throw error;
  }
}

function renameHeld(from: HeldName, to: HeldName, seen: BigIntStats, attempt: string): void {
  const [source, target] = [from.directory.at(from.name), to.directory.at(to.name)];
  assertFree(to, attempt);
  fs.renameSync(source, target);
  if (isSame(fs.lstatSync(target, { bigint: true }), seen)) return;
  // Another entry had the name by then: it goes back.
  fs.renameSync(target, source);
  throw staleError();
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

/** Most entries of a directory that is moved: each is looked at. */
const MAX_ENTRIES = 10_000;
/**
 * Looks through a directory that is to be moved, links not followed. Reports each entry by its names below the directory,
 * so that rules for nested paths hold for its old and new place.
 *
 * @throws {SandboxError} For a relative symbolic link that leads out of the directory: it would lead elsewhere afterwards.
 * @throws {FilesError} When it has more than 10,000 entries; code `file_too_large`.
 */
export function movedEntries(
  directory: DirectoryHandle,
  attempt: string,
  found: (names: readonly string[]) => void,
): void {
  let count = 0;
  const walk = (held: DirectoryHandle, names: readonly string[]): void => {
    const entries = entriesOf(held, MAX_ENTRIES - count + 1);
    for (const entry of entries) {
      if (++count > MAX_ENTRIES)
        throw new FilesError(`${attempt}: it holds more than ${MAX_ENTRIES} entries, move parts of it`, {
          code: "file_too_large",
        });
      const below = [...names, entry.name];
      found(below);
      if (entry.isSymbolicLink()) checkLink(fs.readlinkSync(held.at(entry.name)), below, attempt);
      if (!entry.isDirectory()) continue;
      const inner = held.enter(entry.name);
      try {
        walk(inner, below);
      } finally {
        inner.close();
      }
    }
  };
  walk(directory, []);
}

function checkLink(target: string, names: readonly string[], attempt: string): void {
  if (target.startsWith("/")) return;
  let depth = names.length - 1;
  for (const name of target.split("/")) {
    if (name === "..") depth -= 1;
    else if (name !== "" && name !== ".") depth += 1;
    if (depth < 0)
      throw new SandboxError(
        `${attempt}: it holds the symbolic link ${printablePath(names.join("/"))}, which leads out of it and would lead elsewhere afterwards; move files one by one`,
        { code: "protected_path" },
      );
  }
}

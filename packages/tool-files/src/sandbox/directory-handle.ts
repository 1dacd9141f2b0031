import type { BigIntStats } from "node:fs";

/** A regular file that was opened for reading: from here on its name does not matter. */
export interface OpenedFile {
  /** The file descriptor. Whoever opened it closes it. */
  readonly fd: number;
  /** What the file was when it was opened. */
  readonly stats: BigIntStats;
}

/**
 * A directory of the worktree that is held, not named: what is done through it is done in this directory, whatever
 * happens to its name meanwhile. Names given to it are single names, never with a slash, never `.` or `..`.
 * All methods throw the operating system's errors.
 */
export interface DirectoryHandle {
  /** A path of the directory itself, for reading its entries. */
  readonly self: string;
  /** Its path on the host, links resolved. Says where it is, and is not to be opened. */
  realPath(): string;
  /** A path of `name` in exactly this directory, for one call that does not follow a link in its last component. */
  at(name: string): string;
  /** Holds the same directory once more, to be closed on its own. */
  duplicate(): DirectoryHandle;
  /** Holds the directory `name`. Throws `ENOTDIR` or `ELOOP` for anything else, links included. */
  enter(name: string): DirectoryHandle;
  /** Opens the regular file `name` for reading. Throws `ELOOP` for a link, {@link wrongKindError} for any other kind. */
  openFile(name: string): OpenedFile;
  /** Throws {@link staleError} if the directory is no longer where it was found. Where that cannot matter, does nothing. */
  verify(): void;
  /** {@link verify}, and throws {@link staleError} if the file of that descriptor, just opened by `name`, is not in this directory. */
  verifyFile(name: string, fd: number): void;
  /** Lets go of the directory. */
  close(): void;
}

/** An error like the system's, for something that turned out to be another thing than was needed. */
export function systemErrorOf(code: "ELOOP" | "ENOTDIR" | "EISDIR" | "ESTALE" | "ENOTREG"): Error {
  return Object.assign(new Error(code), { code });
}

/** Thrown where the system would have opened a pipe, a socket or a device. */
export function wrongKindError(stats: BigIntStats): Error {
  return systemErrorOf(stats.isDirectory() ? "EISDIR" : stats.isSymbolicLink() ? "ELOOP" : "ENOTREG");
}

/** Thrown when a name was exchanged between looking and opening. */
export function staleError(): Error {
  return systemErrorOf("ESTALE");
}

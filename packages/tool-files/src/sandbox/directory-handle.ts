import fs, { type BigIntStats, type Dirent } from "node:fs";
import { FilesError } from "../error/files-error.ts";
import { systemCode } from "../error/system-error.ts";

/** A regular file that is open for reading. Its name no longer matters. */
export interface OpenedFile {
  /** The caller closes it. */
  readonly fd: number;
  /** The properties of the file when it was opened. */
  readonly stats: BigIntStats;
}

/**
 * A handle to a directory of the worktree. Operations through it act in this directory, even when another process moves or
 * replaces its name meanwhile. Names are single names, without a slash, and neither `.` nor `..`. All methods throw the
 * operating system's errors.
 */
export interface DirectoryHandle {
  /** A path of the directory itself, for reading its entries. */
  readonly self: string;
  /** Its path on the host, links resolved. For information: it must not be opened. */
  realPath(): string;
  /** A path of `name` in exactly this directory, for one call that does not follow a link in its last component. */
  at(name: string): string;
  /** A second handle to the same directory, which is closed separately. */
  duplicate(): DirectoryHandle;
  /** Opens the directory `name`. Throws `ENOTDIR` or `ELOOP` for anything else: a symbolic link is refused. */
  enter(name: string): DirectoryHandle;
  /** Opens the regular file `name` for reading. Throws `ELOOP` for a symbolic link, {@link wrongKindError} for any other kind. */
  openFile(name: string): OpenedFile;
  /** Throws {@link staleError} if the directory was moved or replaced. Does nothing where that cannot matter. */
  verify(): void;
  /** {@link verify}, and throws {@link staleError} if the file of that descriptor, just opened by `name`, is not in this directory. */
  verifyFile(name: string, fd: number): void;
  close(): void;
}

/** Bytes of a directory, as the system counts them, above which it is read a part at a time, which takes longer for each entry. */
const LARGE_BYTES = 512 * 1024;

/** The entries of a directory; of one that looks large at most `most`, so that no huge one is read to its end. */
export function entriesOf(directory: DirectoryHandle, most: number): readonly Dirent[] {
  const isLarge = fs.statSync(directory.self).size > LARGE_BYTES;
  const entries = isLarge
    ? firstEntries(directory.self, most)
    : fs.readdirSync(directory.self, { withFileTypes: true });
  directory.verify();
  return entries;
}

function firstEntries(path: string, most: number): readonly Dirent[] {
  const entries: Dirent[] = [];
  const directory = fs.opendirSync(path, { bufferSize: 1024 });
  try {
    for (let entry = directory.readSync(); entry !== null && entries.length < most; entry = directory.readSync())
      entries.push(entry);
  } finally {
    directory.closeSync();
  }
  return entries;
}

/** An error with a code of the operating system, for a file or directory that is not of the required kind. */
export function systemErrorOf(code: "ELOOP" | "ENOTDIR" | "EISDIR" | "ESTALE" | "ENOTREG"): Error {
  return Object.assign(new Error(code), { code });
}

/** The error for a file of another kind, such as a pipe, a socket or a device, which opening might already affect. */
export function wrongKindError(stats: BigIntStats): Error {
  return systemErrorOf(stats.isDirectory() ? "EISDIR" : stats.isSymbolicLink() ? "ELOOP" : "ENOTREG");
}

/** The error for a name that was exchanged between the check and the use. */
export function staleError(): Error {
  return systemErrorOf("ESTALE");
}

/** The identity of an open file at one moment. */
export interface FileIdentity {
  /**
   * Its device, inode and length and the times it was changed, to the nanosecond. Equal keys mean equal contents, as
   * far as the file system reports changes.
   */
  readonly key: string;
  readonly size: number;
}

/** The identity of an open file now. */
export function fileIdentity(fd: number): FileIdentity {
  const { dev, ino, size, mtimeNs, ctimeNs } = fs.fstatSync(fd, { bigint: true });
  return { key: `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`, size: Number(size) };
}

/**
 * The key of one version of a file that is held open. Without its time of change, which links to it set as well: it is the same as
 * long as its bytes are, unless a program writes them in place and sets the time back.
 */
export function versionKey({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}`;
}

/** Whether the owner may run a file as a program. `undefined`: there is none. */
export function isExecutable(stats: BigIntStats | undefined): boolean | undefined {
  return stats && (stats.mode & 0o100n) !== 0n;
}

export interface WholeFile {
  readonly stats: BigIntStats;
  /** `undefined` when there are more than was asked for. */
  readonly bytes: Buffer | undefined;
}

/**
 * Reads the regular file `name`, unless it is longer than `maxBytes`, and calls `act`. The file is held open meanwhile: its inode
 * number goes to no other file, so equal properties mean the same version of it. (Windows has no such reuse, and replaces no open file.)
 */
export function withWholeFile<T>(
  directory: DirectoryHandle,
  name: string,
  maxBytes: number,
  act: (file: WholeFile) => T,
): T {
  const { fd, stats } = directory.openFile(name);
  let isOpen = true;
  const close = () => {
    if (isOpen) fs.closeSync(fd);
    isOpen = false;
  };
  try {
    const file = { stats, bytes: stats.size > maxBytes ? undefined : fs.readFileSync(fd) };
    if (process.platform === "win32") close();
    return act(file);
  } finally {
    close();
  }
}

/** The bytes of a file. Throws `file_too_large` where there are more than were asked for. */
export function wholeBytes({ stats, bytes }: WholeFile, maxBytes: number, attempt: string): Buffer {
  if (bytes !== undefined) return bytes;
  throw new FilesError(`${attempt}: it is ${stats.size} bytes long, allowed are ${maxBytes}`, {
    code: "file_too_large",
  });
}

/** The symbolic link `name`: its properties and the bytes of its target. `undefined` for anything else, also for nothing. */
export function readLink(
  directory: DirectoryHandle,
  name: string,
): { readonly stats: BigIntStats; readonly bytes: Buffer } | undefined {
  const stats = fs.lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false });
  if (stats?.isSymbolicLink() !== true) return undefined;
  try {
    return { stats, bytes: fs.readlinkSync(directory.at(name), { encoding: "buffer" }) };
  } catch (error) {
    throw systemCode(error) === "EINVAL" ? staleError() : error;
  }
}

import fs, { type BigIntStats } from "node:fs";
import { FilesError } from "../error/files-error.ts";
import { systemCode } from "../error/system-error.ts";
import { staleError, type DirectoryHandle } from "./directory-handle.ts";

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

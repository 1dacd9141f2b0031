import fs, { type BigIntStats } from "node:fs";
import { FilesError } from "../error/files-error.ts";
import { systemCode } from "../error/system-error.ts";
import { staleError, type DirectoryHandle } from "./directory-handle.ts";

/** A regular file as it was read. */
export interface WholeFile {
  readonly stats: BigIntStats;
  /** `undefined` when there are more than was asked for. */
  readonly bytes: Buffer | undefined;
}

/** Reads the regular file `name`, unless it is longer than `maxBytes`. */
export function readWholeFile(directory: DirectoryHandle, name: string, maxBytes: number): WholeFile {
  const { fd, stats } = directory.openFile(name);
  try {
    return { stats, bytes: stats.size > maxBytes ? undefined : fs.readFileSync(fd) };
  } finally {
    fs.closeSync(fd);
  }
}

/** Like {@link readWholeFile}, but throws `file_too_large`. */
export function readWholeFileWithin(
  directory: DirectoryHandle,
  name: string,
  maxBytes: number,
  attempt: string,
): { readonly stats: BigIntStats; readonly bytes: Buffer } {
  const { stats, bytes } = readWholeFile(directory, name, maxBytes);
  if (bytes !== undefined) return { stats, bytes };
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

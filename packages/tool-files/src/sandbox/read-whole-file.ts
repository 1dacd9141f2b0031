import fs, { type BigIntStats } from "node:fs";
import { FilesError } from "../error/files-error.ts";
import type { DirectoryHandle } from "./directory-handle.ts";

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

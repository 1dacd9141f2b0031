import fs from "node:fs";
import { FilesError } from "../error/files-error.ts";

/** Largest image or document that is read: 32 MiB. */
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;

/**
 * All bytes of an open file that is no text. `known` are those that were read already.
 *
 * @throws {FilesError} Code `file_too_large`.
 */
export function documentBytes(fd: number, known: Buffer | undefined, size: number, attempt: string): Buffer {
  if (known !== undefined) return known;
  if (size > MAX_DOCUMENT_BYTES)
    throw new FilesError(
      `${attempt}: it is ${size} bytes long, allowed for images and documents are ${MAX_DOCUMENT_BYTES}; use another tool for it`,
      { code: "file_too_large" },
    );
  const bytes = Buffer.allocUnsafeSlow(size);
  let length = 0;
  for (let read = -1; read !== 0 && length < size; length += read)
    read = fs.readSync(fd, bytes, length, size - length, length);
  return bytes.subarray(0, length);
}

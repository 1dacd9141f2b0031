import { FilesError } from "../error/files-error.ts";
import { attemptOn } from "../sandbox/path-segments.ts";

/** Limit of a text that a call may write, 8 MiB: written text can be edited, has a version and can be undone. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

/**
 * UTF-8 bytes of a text to be written.
 *
 * @throws {FilesError} Above 8 MiB (`file_too_large`). For half a surrogate pair, which UTF-8 cannot hold and which would be
 *   replaced silently (`invalid_text`).
 */
export function textBytes(verb: string, path: string, text: string): Buffer {
  // No text has fewer bytes than characters, so that a far too long one is not even counted.
  const length = text.length > MAX_TEXT_BYTES ? text.length : Buffer.byteLength(text, "utf8");
  if (length > MAX_TEXT_BYTES) {
    throw new FilesError(
      `${attemptOn(verb, path)}: the text is at least ${length} bytes long, allowed are ${MAX_TEXT_BYTES}; write it as several files`,
      { code: "file_too_large" },
    );
  }
  if (!text.isWellFormed()) {
    throw new FilesError(
      `${attemptOn(verb, path)}: the text holds half a surrogate pair, which UTF-8 cannot hold; send whole characters`,
      { code: "invalid_text" },
    );
  }
  return Buffer.from(text, "utf8");
}

import { FilesError } from "../error/files-error.ts";
import { attemptOn } from "../sandbox/path-segments.ts";

/**
 * UTF-8 bytes of a text to be written.
 *
 * @throws {FilesError} For half a surrogate pair, which UTF-8 cannot hold and which would be replaced silently.
 */
export function textBytes(verb: string, path: string, text: string): Buffer {
  if (!text.isWellFormed()) {
    throw new FilesError(
      `${attemptOn(verb, path)}: the text holds half a surrogate pair, which UTF-8 cannot hold; send whole characters`,
      { code: "invalid_text" },
    );
  }
  return Buffer.from(text, "utf8");
}

import { isUtf8 } from "node:buffer";
import { utf32Of } from "./utf32.ts";

/** How many bytes of a file's beginning decide whether it is text: as many as Git looks at. */
export const SNIFFED_BYTES = 8000;

/** Share of undecodable characters above which bytes are no text that could be read. */
const MAX_UNDECODABLE = 0.3;
/** Share of control characters above which bytes are no text. */
const MAX_CONTROLS = 0.1;

/**
 * Why the beginning of a file shows that the file is not text, or `undefined` if it is text: UTF-8, ASCII, or a legacy
 * encoding that is ASCII for the most part.
 */
export function binaryReason(head: Uint8Array): string | undefined {
  const bytes = head.subarray(0, SNIFFED_BYTES);
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return "it is UTF-16 text, allowed is UTF-8";
  const controls = controlReason(bytes);
  if (controls !== undefined || isUtf8(bytes)) return controls;
  const text = new TextDecoder().decode(bytes);
  const undecodable = text.split("\ufffd").length - 1;
  return undecodable > text.length * MAX_UNDECODABLE ? "it is binary, or text that is not UTF-8" : undefined;
}

/** Why the beginning of a file cannot be text of any encoding that holds ASCII, judged by control characters alone. */
export function controlReason(head: Uint8Array): string | undefined {
  const bytes = head.subarray(0, SNIFFED_BYTES);
  if (bytes.includes(0)) {
    const wide = utf32Of(bytes);
    return wide === undefined
      ? "it is binary, it holds NUL bytes"
      : `it is ${wide} text, allowed are UTF-8, UTF-16 and encodings of one or two bytes a character; convert it first`;
  }
  let controls = 0;
  for (const byte of bytes) if (byte < 0x20 && (byte < 0x07 || byte > 0x0d) && byte !== 0x1b) controls += 1;
  return controls > bytes.length * MAX_CONTROLS ? "it is binary, it holds many control characters" : undefined;
}

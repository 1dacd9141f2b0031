import { isUtf8 } from "node:buffer";

/**
 * Bytes as text in which every byte that is no part of UTF-8 is half a surrogate pair of its own, U+DC80 to U+DCFF, so
 * that a regular expression can tell it from every character. (The idea is Python's `surrogateescape`.)
 */
export function escapedText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  let text = "";
  for (let at = 0, valid = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    at += Math.max(1, length);
    if (length > 0 && at < bytes.length) continue;
    const end = length > 0 ? at : at - 1;
    text += bytes.toString("utf8", valid, end);
    if (length === 0) text += String.fromCharCode(0xdc00 + (bytes[at - 1] ?? 0));
    valid = at;
  }
  return text;
}

/** How many bytes such a text stands for. */
export function escapedTextBytes(text: string): number {
  // Alone, half a pair counts as the three bytes of its replacement.
  return Buffer.byteLength(text) - 2 * (text.isWellFormed() ? 0 : (text.match(/[\udc80-\udcff]/gu)?.length ?? 0));
}

/** Bytes of the character at `at`, 0 if there is none. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  return first >= 0xc2 && first <= 0xf4 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length))
    ? length
    : 0;
}

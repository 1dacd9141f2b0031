import type { TextEncoding } from "./text-encoding.ts";

/** Bytes of the longest character: those of UTF-8, UTF-16 and GB18030. */
export const MAX_CHARACTER_BYTES = 4;

/** Bytes at the beginning of `bytes` that end a character begun before them. 0 where that cannot be seen. */
export function restOfCharacter(bytes: Buffer, { name, unit }: TextEncoding, position: number): number {
  if (unit === 2) {
    const odd = position % 2;
    return odd + (isLowSurrogate(bytes, odd, name) ? 2 : 0);
  }
  if (!isUtf8Like(name)) return 0;
  let at = 0;
  // After three bytes it is no UTF-8 at all.
  while (at < MAX_CHARACTER_BYTES - 1 && at < bytes.length && isContinuation(bytes, at)) at += 1;
  return at;
}

/**
 * The length of the longest beginning of `bytes`, at most `max`, that ends between two characters. `bytes` begin with a
 * character and go on for {@link MAX_CHARACTER_BYTES} beyond `max` or to the end of the text.
 */
export function wholeCharacters(bytes: Buffer, encoding: TextEncoding, max: number): number {
  if (bytes.length <= max) return bytes.length;
  const { name, unit } = encoding;
  if (unit === 2) {
    const even = max - (max % 2);
    return isLowSurrogate(bytes, even, name) ? even - 2 : even;
  }
  const least = Math.max(1, max - MAX_CHARACTER_BYTES + 1);
  for (let at = max; at >= least; at -= 1) {
    if (isUtf8Like(name) ? !isContinuation(bytes, at) : gives(bytes.subarray(0, at), encoding)) return at;
  }
  return max;
}

function isUtf8Like(name: string): boolean {
  return name.startsWith("UTF-8") || name === "unknown";
}

function isContinuation(bytes: Buffer, at: number): boolean {
  return (bytes[at] ?? 0) >> 6 === 2;
}

function isLowSurrogate(bytes: Buffer, at: number, name: string): boolean {
  if (at + 1 >= bytes.length) return false;
  const unit = name === "UTF-16LE" ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
  return unit >> 10 === 0xdc00 >> 10;
}

/** Whether text and bytes give each other, which they do not when the last character is in part missing. */
function gives(bytes: Buffer, { decode, encode }: TextEncoding): boolean {
  const text = decode(bytes);
  return !text.endsWith("\ufffd") && encode(text).equals(bytes);
}

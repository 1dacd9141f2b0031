import type { TextEncoding } from "./text-encoding.ts";

/** A byte that means nothing in the encoding of its file, and is shown as U+FFFD. */
export interface InvalidByte {
  readonly at: number;
  /** The byte itself, two hexadecimal digits. */
  readonly hex: string;
}

/** The first byte of `bytes` that cannot be decoded; `text` is their decoded form. */
export function invalidByte(bytes: Buffer, text: string, encoding: TextEncoding): InvalidByte | undefined {
  const at = encoding.unit === 2 ? brokenUnit(bytes, text) : badByte(bytes, text, encoding);
  return at === -1 ? undefined : { at, hex: bytes.toString("hex", at, at + 1) };
}

function brokenUnit(bytes: Buffer, text: string): number {
  if (text.isWellFormed()) return bytes.length % 2 === 0 ? -1 : bytes.length - 1;
  return text.search(/\p{Surrogate}/u) * 2;
}

/** The first byte shown as U+FFFD, which the text may also hold itself. */
function badByte(bytes: Buffer, text: string, { name }: TextEncoding): number {
  let at = text.indexOf("\ufffd");
  if (at === -1 || (!name.startsWith("UTF-8") && name !== "unknown")) return -1;
  for (; at !== -1; at = text.indexOf("\ufffd", at + 1)) {
    const place = Buffer.byteLength(text.slice(0, at));
    if (bytes.toString("hex", place, place + 3) !== "efbfbd") return place;
  }
  return -1;
}

/** Highest code point. */
const MAX_CODE = 0x10ffff;

/** The byte order in which bytes, a file or its beginning, are plain text in UTF-32, if there is one. */
export function utf32Of(bytes: Uint8Array): "UTF-32LE" | "UTF-32BE" | undefined {
  const whole = bytes.subarray(0, bytes.length & ~3);
  if (whole.length === 0) return undefined;
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
  for (const little of [true, false]) {
    let at = 0;
    while (at < whole.length && isText(view.getUint32(at, little))) at += 4;
    if (at === whole.length) return little ? "UTF-32LE" : "UTF-32BE";
  }
  return undefined;
}

/** The bytes by which a text stands in files in UTF-32. */
export function utf32Forms(text: string): Uint8Array[] {
  const little = Buffer.from(Uint32Array.from(text, (character) => character.codePointAt(0)!).buffer);
  return [little, Buffer.from(little).swap32()];
}

function isText(code: number): boolean {
  if (code < 0x20) return code >= 9 && code <= 13;
  return code <= MAX_CODE && (code < 0xd800 || code > 0xdfff) && (code & 0xfffe) !== 0xfffe;
}

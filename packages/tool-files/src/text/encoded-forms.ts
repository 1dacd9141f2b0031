import { ENCODING_NAMES } from "./encoding-name.ts";

/** The different bytes by which a text stands in files of other encodings than UTF-8, of those in which it can. */
export async function encodedForms(text: string): Promise<Uint8Array[]> {
  const { default: iconv } = await import("iconv-lite");
  const forms = new Map<string, Buffer>();
  for (const name of ENCODING_NAMES) {
    const bytes = iconv.encode(text, name);
    if (name !== "UTF-8" && iconv.decode(bytes, name, { stripBOM: false }) === text)
      forms.set(bytes.toString("latin1"), bytes);
  }
  return [...forms.values(), ...utf32Forms(text)];
}

/** The bytes by which a text stands in files in UTF-32. */
export function utf32Forms(text: string): Uint8Array[] {
  const little = Buffer.from(Uint32Array.from(text, (character) => character.codePointAt(0)!).buffer);
  return [little, Buffer.from(little).swap32()];
}

import iconv from "iconv-lite";
import { ENCODING_NAMES } from "./encoding-name.ts";
import { utf32Forms } from "./utf32.ts";

/** The different bytes by which a text stands in files of other encodings than UTF-8, of those in which it can. */
export function encodedForms(text: string): Uint8Array[] {
  const forms = new Map<string, Buffer>();
  for (const name of ENCODING_NAMES) {
    const bytes = iconv.encode(text, name);
    if (name !== "UTF-8" && iconv.decode(bytes, name, { stripBOM: false }) === text)
      forms.set(bytes.toString("latin1"), bytes);
  }
  return [...forms.values(), ...utf32Forms(text)];
}

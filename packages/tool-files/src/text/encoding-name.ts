import { FilesError } from "../error/files-error.ts";

/** The encodings a caller can name. */
const ENCODING_NAMES: readonly string[] = [
  "UTF-8",
  "UTF-16LE",
  "UTF-16BE",
  ...Array.from({ length: 9 }, (_, index) => `windows-${1250 + index}`),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16].map((part) => `ISO-8859-${part}`),
  ..."KOI8-R KOI8-U IBM437 IBM850 IBM852 IBM866 macintosh windows-874".split(" "),
  ..."Shift_JIS EUC-JP GBK GB18030 Big5 EUC-KR".split(" "),
];

/** Characters of a name that are looked at: more than any known name has. */
const MAX_LABEL = 40;

/** Other names of them, squeezed. */
const ALIASES: Readonly<Record<string, string>> = {
  utf16: "UTF-16LE",
  latin1: "ISO-8859-1",
  latin2: "ISO-8859-2",
  sjis: "Shift_JIS",
  cp932: "Shift_JIS",
  windows31j: "Shift_JIS",
  gb2312: "GBK",
  cp936: "GBK",
  cp949: "EUC-KR",
  cp950: "Big5",
  koi8: "KOI8-R",
  macroman: "macintosh",
  tis620: "windows-874",
};

const NAMES = new Map<string, string>([
  ...ENCODING_NAMES.map((name) => [squeezed(name), name] as const),
  ...Object.entries(ALIASES),
]);

/**
 * The canonical name of the encoding that a caller means, ignoring case and punctuation; code page numbers are
 * understood.
 *
 * @throws {FilesError} Code `unknown_encoding`.
 */
export function encodingName(label: string, attempt: string): string {
  const plain = squeezed(label.length > MAX_LABEL ? "" : label);
  const known =
    NAMES.get(plain) ?? NAMES.get(plain.replace(/^cp/, "windows")) ?? NAMES.get(plain.replace(/^cp/, "ibm"));
  if (known !== undefined) return known;
  throw new FilesError(
    `${attempt}: found the encoding ${JSON.stringify(label.slice(0, MAX_LABEL))}, allowed are ${ENCODING_NAMES.join(", ")}`,
    { code: "unknown_encoding" },
  );
}

function squeezed(label: string): string {
  return label.toLowerCase().replace(/[^a-z0-9]/g, "");
}

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

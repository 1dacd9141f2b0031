import chardet from "chardet";
import iconv from "iconv-lite";
import { foreignLines, foreignWords } from "./foreign-pieces.ts";

/**
 * Encodings accepted from the detector, and the encoding to read each as: the superset in use, if it contains the whole
 * of it (as in the WHATWG Encoding Standard).
 */
const MULTI_BYTE: Readonly<Record<string, string>> = {
  Shift_JIS: "Shift_JIS",
  "EUC-JP": "EUC-JP",
  GB18030: "GB18030",
  Big5: "Big5",
  "EUC-KR": "EUC-KR",
};
const SINGLE_BYTE: Readonly<Record<string, string>> = {
  "ISO-8859-1": "windows-1252",
  "windows-1252": "windows-1252",
  "ISO-8859-2": "ISO-8859-2",
  "windows-1250": "windows-1250",
  "ISO-8859-5": "ISO-8859-5",
  "windows-1251": "windows-1251",
  "KOI8-R": "KOI8-R",
  "ISO-8859-7": "ISO-8859-7",
  "windows-1253": "windows-1253",
  "ISO-8859-8": "windows-1255",
  "windows-1255": "windows-1255",
  "ISO-8859-9": "windows-1254",
  "windows-1254": "windows-1254",
  "windows-1256": "windows-1256",
};

/** Least confidence, of 100, in an encoding of one byte a character, and share of it the next candidate may have. */
const SINGLE_BYTE_CONFIDENCE = 25;
const NEXT_SHARE = 0.5;
/** Fewest bytes beyond ASCII from which a single-byte encoding is detected. */
const MIN_EVIDENCE = 8;
/** Traces of text that was decoded with a wrong encoding. */
const NO_WORDS = [
  /[\x80-\x9f\ufffd]/,
  /\p{L}[^\p{L}\p{M}\0-\x7f\u00ad\u00b7\u2019]+\p{L}/u,
  /\p{Script=Latin}(?!\p{Script=Latin})\p{L}|(?!\p{Script=Latin})\p{L}\p{Script=Latin}/u,
  /(?![a-z])\p{Ll}\p{Lu}|\p{Ll}(?![A-Z])\p{Lu}/u,
];
/** Least confidence in an encoding of several bytes a character, which shows in its structure, and its least lead. */
const MULTI_BYTE_CONFIDENCE = 80;
const MULTI_BYTE_LEAD = 25;
/** Highest share of one first byte in Chinese and Korean text: many rows of characters are in use. */
const MAX_LEAD_SHARE = 0.6;

/** The name of the encoding of text that is not UTF-8, when its bytes speak for one alone. `undefined`: none, or several. */
export function legacyEncodingName(bytes: Uint8Array): string | undefined {
  const lines = foreignLines(bytes);
  return multiByteName(lines) ?? singleByteName(lines, foreignWords(bytes));
}

function multiByteName(sample: Buffer): string | undefined {
  const [first, second] = chardet.analyse(sample);
  if (first === undefined || first.confidence < MULTI_BYTE_CONFIDENCE) return undefined;
  const name = first.confidence - (second?.confidence ?? 0) >= MULTI_BYTE_LEAD ? MULTI_BYTE[first.name] : undefined;
  // Letters of one row of another encoding, such as the Cyrillic ones of GBK, are taken for rare Chinese characters.
  if ((name === "Big5" || name === "EUC-KR") && leadShare(sample) > MAX_LEAD_SHARE) return undefined;
  // A letter with an accent and its neighbour make one such character in the middle of a word.
  return name === undefined || /[a-z]\p{Script=Han}[a-z]/u.test(iconv.decode(sample, name)) ? undefined : name;
}

/** The share of the most common first byte among characters of two bytes. */
function leadShare(sample: Buffer): number {
  const counts = new Map<number, number>();
  let pairs = 0;
  for (let at = 0; at < sample.length; at += 1) {
    const lead = sample[at]!;
    if (lead < 0x80) continue;
    counts.set(lead, (counts.get(lead) ?? 0) + 1);
    pairs += 1;
    at += 1;
  }
  return Math.max(0, ...counts.values()) / Math.max(1, pairs);
}

/** The encoding that both the lines and the words alone suggest, or one of them while the other suggests none. */
function singleByteName(lines: Buffer, words: Buffer): string | undefined {
  if (words.filter((byte) => byte >= 0x80).length < MIN_EVIDENCE) return undefined;
  const byLines = mostLikely(lines, words);
  const byWords = mostLikely(words, words);
  return byLines === undefined || byWords === undefined || byLines === byWords ? (byWords ?? byLines) : undefined;
}

function mostLikely(sample: Buffer, words: Buffer): string | undefined {
  const readings = new Map<string, { name: string; confidence: number }>();
  for (const { name: found, confidence } of chardet.analyse(sample)) {
    const name = SINGLE_BYTE[found];
    const text = name === undefined ? "" : iconv.decode(words, name);
    // Several names may read the same; the surest comes first.
    if (name !== undefined && !readings.has(text) && isWords(text)) readings.set(text, { name, confidence });
  }
  const [first, second] = readings.values();
  if (first === undefined || first.confidence < SINGLE_BYTE_CONFIDENCE) return undefined;
  return (second?.confidence ?? 0) <= first.confidence * NEXT_SHARE ? first.name : undefined;
}

/**
 * Whether text can be words of a language: letters more than signs, no control character, no sign inside a word, one
 * script and proper case.
 */
function isWords(text: string): boolean {
  const letters = text.match(/(?![\0-\x7f])\p{L}/gu)?.length ?? 0;
  const signs = text.match(/(?![\0-\x7f])\P{L}/gu)?.length ?? 0;
  return letters > signs && !NO_WORDS.some((pattern) => pattern.test(text));
}

import { isUtf8 } from "node:buffer";
import iconv from "iconv-lite";
import { FilesError } from "../error/files-error.ts";
import { binaryReason, controlReason, SNIFFED_BYTES } from "./binary-reason.ts";
import { foreignLines, legacyEncodingName } from "./legacy-encoding.ts";

/** How a file writes text as bytes. */
export interface TextEncoding {
  /**
   * What to call it: `UTF-8`, `UTF-16LE`, `UTF-16BE`, a legacy encoding such as `windows-1252`; `UTF-8 with invalid
   * bytes`; or `unknown`, which is ASCII and bytes of which cannot be said what they mean.
   */
  readonly name: string;
  /** The byte order mark the file begins with, often empty. */
  readonly mark: Uint8Array;
  /** Bytes of the smallest unit: 2 for UTF-16, else 1. A line feed is one unit at a multiple of it. */
  readonly unit: 1 | 2;
  /** Whether every byte of a file so named means something. Not so: invalid bytes are decoded as U+FFFD. */
  readonly exact: boolean;
  /**
   * The text of bytes of the file, of all or of whole characters anywhere in it. A mark is decoded as U+FEFF, so that
   * `encode(decode(bytes))` is `bytes` in an exact encoding.
   */
  readonly decode: (bytes: Uint8Array) => string;
  /**
   * The bytes of a text in this encoding, without a mark unless the text holds one.
   *
   * @throws {FilesError} When it holds a character that this encoding lacks; code `not_encodable`.
   */
  readonly encode: (text: string) => Buffer;
}

const NO_MARK = Buffer.alloc(0);
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const LE_MARK = Buffer.from([0xff, 0xfe]);
const BE_MARK = Buffer.from([0xfe, 0xff]);
/** Shortest text, in units, whose UTF-16 is recognised without a mark. */
const MIN_UNMARKED_UNITS = 4;

/** UTF-8 without a mark, what a new file is written in. */
export const UTF8: TextEncoding = utf8("UTF-8", NO_MARK, true);

/**
 * How `bytes`, a file or its beginning, write text. `undefined`: they are binary. Anything that is valid UTF-8 is UTF-8;
 * UTF-16 needs a mark or has to be beyond doubt; a legacy encoding is named only where its bytes speak for one alone.
 */
export function detectEncoding(bytes: Uint8Array): TextEncoding | undefined {
  const encoding = unicodeEncoding(bytes);
  if (encoding !== "legacy") return encoding;
  return legacyOf(asBuffer(bytes)) ?? (binaryReason(bytes) === undefined ? unknown() : undefined);
}

/** {@link detectEncoding}, except that a legacy encoding, which takes long to tell, is not told: `legacy`. */
export function unicodeEncoding(bytes: Uint8Array): TextEncoding | "legacy" | undefined {
  const head = bytes.subarray(0, SNIFFED_BYTES);
  const wide = utf16Of(head);
  // Half a unit at the end means nothing.
  if (wide !== undefined) return { ...wide, exact: bytes.length % 2 === 0 };
  if (head.includes(0)) return undefined;
  const mark = startsWith(bytes, UTF8_MARK) ? UTF8_MARK : NO_MARK;
  if (isUtf8(bytes)) return mark === NO_MARK ? UTF8 : utf8("UTF-8", mark, true);
  if (controlReason(head) !== undefined) return undefined;
  return mark !== NO_MARK || mostlyUtf8(bytes) ? utf8("UTF-8 with invalid bytes", mark, false) : "legacy";
}

/** The encoding of that name: one that {@link detectEncoding} gave for other bytes, or one that `encodingName` gives. Without a mark. */
export function encodingNamed(name: string, exact: boolean): TextEncoding {
  if (name === "unknown") return unknown();
  if (name.startsWith("UTF-8")) return utf8(name, NO_MARK, exact);
  if (name === "UTF-16LE" || name === "UTF-16BE") return { ...utf16(name, NO_MARK), exact };
  return { ...legacy(name), exact };
}

/**
 * The encoding of `bytes` when the caller says which it is: `name` is a name that `encodingName` gives. A byte order mark of that
 * encoding is recognised.
 */
export function statedEncoding(bytes: Uint8Array, name: string): TextEncoding {
  if (name === "UTF-8") {
    const mark = startsWith(bytes, UTF8_MARK) ? UTF8_MARK : NO_MARK;
    return isUtf8(bytes) ? utf8(name, mark, true) : utf8("UTF-8 with invalid bytes", mark, false);
  }
  if (name === "UTF-16LE" || name === "UTF-16BE") {
    const mark = name === "UTF-16LE" ? LE_MARK : BE_MARK;
    return { ...utf16(name, startsWith(bytes, mark) ? mark : NO_MARK), exact: bytes.length % 2 === 0 };
  }
  const encoding = legacy(name);
  return { ...encoding, exact: givesBack(encoding, asBuffer(bytes)) };
}

/** What a legacy encoding is, if one is named by the bytes and gives every one of them back. */
function legacyOf(bytes: Buffer): TextEncoding | undefined {
  const name = legacyEncodingName(bytes);
  const encoding = name === undefined ? undefined : legacy(name);
  return encoding !== undefined && givesBack(encoding, bytes) ? encoding : undefined;
}

function givesBack({ name, decode }: TextEncoding, bytes: Buffer): boolean {
  return iconv.encode(decode(bytes), name).equals(bytes);
}

/** An error for text that cannot be written in `name`, which tells the first such character. */
function notEncodable(name: string, character: string): FilesError {
  const point = character.codePointAt(0) ?? 0;
  const shown = point >= 0xd800 && point <= 0xdfff ? "half a surrogate pair" : JSON.stringify(character);
  return new FilesError(
    `Cannot write text as ${name}: it holds ${shown} (U+${point.toString(16).toUpperCase().padStart(4, "0")}), allowed are characters of that encoding`,
    { code: "not_encodable" },
  );
}

function utf8(name: string, mark: Uint8Array, exact: boolean): TextEncoding {
  return {
    name,
    mark,
    unit: 1,
    exact,
    decode: (bytes) => asBuffer(bytes).toString("utf8"),
    encode: (text) => Buffer.from(wellFormed(name, text), "utf8"),
  };
}

function utf16(name: "UTF-16LE" | "UTF-16BE", mark: Uint8Array): TextEncoding {
  const swap = (bytes: Buffer) => (name === "UTF-16BE" ? bytes.swap16() : bytes);
  return {
    name,
    mark,
    unit: 2,
    exact: true,
    decode(bytes) {
      const whole = bytes.subarray(0, bytes.length & ~1);
      const text = swap(name === "UTF-16BE" ? Buffer.from(whole) : asBuffer(whole)).toString("utf16le");
      return whole.length === bytes.length ? text : `${text}\ufffd`;
    },
    encode: (text) => swap(Buffer.from(wellFormed(name, text), "utf16le")),
  };
}

/** ASCII with bytes of an encoding that cannot be told, which are kept and cannot be written. */
function unknown(): TextEncoding {
  const encode = (text: string) => {
    const [character] = /[^\0-\x7f]/u.exec(text) ?? [];
    if (character !== undefined) throw notEncodable("ASCII, the known part of this file's encoding", character);
    return Buffer.from(text, "latin1");
  };
  return { ...utf8("unknown", NO_MARK, false), encode };
}

function legacy(name: string): TextEncoding {
  return {
    name,
    mark: NO_MARK,
    unit: 1,
    exact: true,
    decode: (bytes) => iconv.decode(asBuffer(bytes), name),
    encode(text) {
      const bytes = iconv.encode(text, name);
      if (iconv.decode(bytes, name) === text) return bytes;
      for (const character of text)
        if (iconv.decode(iconv.encode(character, name), name) !== character) throw notEncodable(name, character);
      throw notEncodable(name, text.slice(0, 1));
    },
  };
}

function utf16Of(head: Uint8Array): TextEncoding | undefined {
  // Without a mark it takes ASCII, half of whose bytes are NUL.
  if (!startsWith(head, LE_MARK) && !startsWith(head, BE_MARK) && !head.includes(0)) return undefined;
  for (const [name, mark] of [
    ["UTF-16LE", LE_MARK],
    ["UTF-16BE", BE_MARK],
  ] as const) {
    const encoding = utf16(name, startsWith(head, mark) ? mark : NO_MARK);
    const marked = encoding.mark.length > 0;
    if (!marked && (head.length < 2 * MIN_UNMARKED_UNITS || head.length % 2 !== 0)) continue;
    // The last unit of a cut beginning may be half of a pair.
    const text = encoding.decode(head.subarray(encoding.mark.length)).replace(/[\ud800-\udbff]?\ufffd?$/, "");
    if (isPlainText(text) && (marked || isMostlyAscii(text))) return encoding;
  }
  return undefined;
}

/** Text no chance bytes make: no NUL, no control character but white space, no half pair, no noncharacter. */
function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/[\0-\x08\x0e-\x1a\x1c-\x1f\ufffe\uffff]/.test(text);
}

/** Whether bytes that are taken for binary may all the same be text, in an encoding that cannot be told. */
export function mayBeText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, SNIFFED_BYTES);
  if (controlReason(head) === undefined) return true;
  if (bytes.length % 2 === 1) return false;
  const plain = (name: "UTF-16LE" | "UTF-16BE") =>
    isPlainText(
      utf16(name, NO_MARK)
        .decode(head)
        .replace(/[\ud800-\udbff]$/, ""),
    );
  return plain("UTF-16LE") || plain("UTF-16BE");
}

function isMostlyAscii(text: string): boolean {
  return text.replace(/[^\t\n\r -~]/g, "").length >= text.length * 0.8;
}

/** Whether at least as many characters are proper UTF-8 sequences as there are bytes that are none. */
function mostlyUtf8(bytes: Uint8Array): boolean {
  const text = foreignLines(bytes).toString("utf8");
  let valid = 0;
  let invalid = 0;
  for (const [run] of text.matchAll(/\ufffd+|[^\0-\x7f\ufffd]+/g)) {
    if (run.startsWith("\ufffd")) invalid += run.length;
    else valid += run.length;
  }
  return valid >= invalid;
}

function wellFormed(name: string, text: string): string {
  if (text.isWellFormed()) return text;
  throw notEncodable(name, /\p{Surrogate}/u.exec(text)?.[0] ?? "\ud800");
}

function startsWith(bytes: Uint8Array, mark: Uint8Array): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

import { isAscii, isUtf8 } from "node:buffer";
import iconv from "iconv-lite";
import { FilesError } from "../error/files-error.ts";
import { asBuffer } from "./bytes.ts";
import { beginsWith, decodeUtf16, textKind } from "./text-kind.ts";

export interface TextEncoding {
  /**
   * Its name: `UTF-8`, `UTF-16LE`, `UTF-16BE`, a legacy encoding such as `windows-1252`; `UTF-8 with invalid bytes`; or
   * `unknown`, ASCII with other bytes whose meaning cannot be determined.
   */
  readonly name: string;
  /** The byte order mark the file begins with, often empty. */
  readonly mark: Uint8Array;
  /** Bytes of the smallest unit: 2 for UTF-16, else 1. A line feed is one unit at a multiple of it. */
  readonly unit: 1 | 2;
  /**
   * The text of bytes of the file, of all or of whole characters anywhere in it. A mark is decoded as U+FEFF, so that
   * `encode(decode(bytes))` is `bytes` where all of them mean something; others are decoded as U+FFFD.
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
/** UTF-8 without a mark, the encoding of new files. */
export const UTF8: TextEncoding = utf8("UTF-8", NO_MARK);

/**
 * How `bytes`, a file or its beginning, write text. `undefined`: they are binary. Anything that is valid UTF-8 is UTF-8;
 * UTF-16 needs a mark or has to be beyond doubt. Any other encoding is `unknown` unless the caller states its name, one
 * that `encodingName` gives.
 */
export function detectEncoding(bytes: Uint8Array, stated?: string): TextEncoding | undefined {
  if (stated !== undefined) return statedEncoding(bytes, stated);
  const { kind, markLength } = textKind(bytes);
  switch (kind) {
    case "binary":
      return undefined;
    case "unknown":
      return unknown();
    case "UTF-8":
      return markLength === 0 ? UTF8 : utf8("UTF-8", UTF8_MARK);
    case "damaged UTF-8":
      return utf8("UTF-8 with invalid bytes", markLength === 0 ? NO_MARK : UTF8_MARK);
    case "UTF-16LE":
    case "UTF-16BE":
      return utf16(kind, Buffer.from(bytes.subarray(0, markLength)));
  }
}

/**
 * Refuses a stated encoding that is not the one a file is recognised to have: to obey it would damage the text. ASCII is the
 * same in nearly all encodings.
 *
 * @throws {FilesError} Code `unknown_encoding`.
 */
export function assertStated(bytes: Uint8Array, stated: string | undefined, attempt: string): void {
  if (stated === undefined) return;
  const { kind } = textKind(bytes);
  if (kind === stated || kind === "binary" || kind === "unknown" || kind === "damaged UTF-8") return;
  if (kind === "UTF-8" && isAscii(bytes)) return;
  throw new FilesError(`${attempt}: it is ${kind} text, and not ${stated} as was stated; leave encoding out`, {
    code: "unknown_encoding",
  });
}

function statedEncoding(bytes: Uint8Array, name: string): TextEncoding {
  const markIf = (mark: Buffer) => (beginsWith(bytes, mark) ? mark : NO_MARK);
  if (name === "UTF-8") return utf8(isUtf8(bytes) ? name : "UTF-8 with invalid bytes", markIf(UTF8_MARK));
  if (name === "UTF-16LE") return utf16(name, markIf(LE_MARK));
  return name === "UTF-16BE" ? utf16(name, markIf(BE_MARK)) : legacy(name);
}

/** An error for text that cannot be written in `name`, with the first such character. */
function notEncodable(name: string, character: string): FilesError {
  const point = character.codePointAt(0) ?? 0;
  const shown = point >= 0xd800 && point <= 0xdfff ? "half a surrogate pair" : JSON.stringify(character);
  return new FilesError(
    `Cannot write text as ${name}: it holds ${shown} (U+${point.toString(16).toUpperCase().padStart(4, "0")}), allowed are characters of that encoding`,
    { code: "not_encodable" },
  );
}

function utf8(name: string, mark: Uint8Array): TextEncoding {
  return {
    name,
    mark,
    unit: 1,
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
    decode: (bytes) => decodeUtf16(bytes, name),
    encode: (text) => swap(Buffer.from(wellFormed(name, text), "utf16le")),
  };
}

/** ASCII with bytes of an undetected encoding, which are kept and cannot be written. */
function unknown(): TextEncoding {
  const encode = (text: string) => {
    const [character] = /[^\0-\x7f]/u.exec(text) ?? [];
    if (character !== undefined) throw notEncodable("ASCII, the known part of this file's encoding", character);
    return Buffer.from(text, "latin1");
  };
  return { ...utf8("unknown", NO_MARK), encode };
}

function legacy(name: string): TextEncoding {
  return {
    name,
    mark: NO_MARK,
    unit: 1,
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

function wellFormed(name: string, text: string): string {
  if (text.isWellFormed()) return text;
  throw notEncodable(name, /\p{Surrogate}/u.exec(text)?.[0] ?? "\ud800");
}

import { isUtf8 } from "node:buffer";
import { asBuffer } from "./bytes.ts";

export interface TextKind {
  /** `damaged UTF-8` has bytes that are none; `unknown` is some other encoding that holds ASCII. */
  readonly kind: "UTF-8" | "damaged UTF-8" | "UTF-16LE" | "UTF-16BE" | "unknown" | "binary";
  /** Bytes of the byte order mark (BOM). */
  readonly markLength: number;
}

/** How many bytes of a file's beginning decide whether it is text: as many as Git looks at. */
const SNIFFED_BYTES = 8000;
/** Share of undecodable characters above which bytes are no text that could be read. */
const MAX_UNDECODABLE = 0.3;
/** Share of control characters above which bytes are no text. */
const MAX_CONTROLS = 0.1;
/** Bytes of lines with invalid UTF-8 that are judged: each costs a microsecond, and more of them say nothing new. */
const MAX_EVIDENCE = 8 * 1024;
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const LE_MARK = Buffer.from([0xff, 0xfe]);
const BE_MARK = Buffer.from([0xfe, 0xff]);
/** Shortest text, in units, whose UTF-16 is recognised without a mark. */
const MIN_UNMARKED_UNITS = 4;
/** Highest code point. */
const MAX_CODE = 0x10ffff;

/** Classifies bytes, a file or its beginning. See `detectEncoding`. */
export function textKind(bytes: Uint8Array): TextKind {
  const head = bytes.subarray(0, SNIFFED_BYTES);
  const wide = utf16Of(head);
  if (wide !== undefined) return wide;
  const binary = { kind: "binary", markLength: 0 } as const;
  if (head.includes(0)) return binary;
  const markLength = beginsWith(bytes, UTF8_MARK) ? UTF8_MARK.length : 0;
  if (isUtf8(bytes)) return { kind: "UTF-8", markLength };
  if (controlReason(head) !== undefined) return binary;
  if (markLength > 0 || mostlyUtf8(bytes)) return { kind: "damaged UTF-8", markLength };
  const text = asBuffer(head).toString("utf8");
  const undecodable = text.split("\ufffd").length - 1;
  return undecodable > text.length * MAX_UNDECODABLE ? binary : { kind: "unknown", markLength: 0 };
}

/** Why bytes that {@link textKind} calls binary are no text. */
export function binaryReason(bytes: Uint8Array): string {
  return controlReason(bytes) ?? "it is binary, or text in an unknown encoding (state it with encoding)";
}

/** Why the beginning of a file cannot be text of any encoding that holds ASCII, judged by control characters alone. */
export function controlReason(bytes: Uint8Array): string | undefined {
  const head = bytes.subarray(0, SNIFFED_BYTES);
  if (head.includes(0)) {
    const wide = utf32Of(head);
    return wide === undefined
      ? "it is binary, it holds NUL bytes"
      : `it is ${wide} text, allowed are UTF-8, UTF-16 and encodings of one or two bytes a character; convert it first`;
  }
  let controls = 0;
  for (const byte of head) if (byte < 0x20 && (byte < 0x07 || byte > 0x0d) && byte !== 0x1b) controls += 1;
  return controls > head.length * MAX_CONTROLS ? "it is binary, it holds many control characters" : undefined;
}

/** The text of bytes in UTF-16. Half a unit at the end becomes U+FFFD. */
export function decodeUtf16(bytes: Uint8Array, name: "UTF-16LE" | "UTF-16BE"): string {
  const whole = bytes.subarray(0, bytes.length & ~1);
  const units = name === "UTF-16BE" ? Buffer.from(whole).swap16() : asBuffer(whole);
  const text = units.toString("utf16le");
  return whole.length === bytes.length ? text : `${text}\ufffd`;
}

/** Whether bytes classified as binary may still be text, in an encoding that cannot be detected. */
export function mayBeText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, SNIFFED_BYTES);
  if (controlReason(head) === undefined || utf32Of(head) !== undefined) return true;
  if (bytes.length % 2 === 1) return false;
  const plain = (name: "UTF-16LE" | "UTF-16BE") => isPlainText(decodeUtf16(head, name).replace(/[\ud800-\udbff]$/, ""));
  return plain("UTF-16LE") || plain("UTF-16BE");
}

function utf16Of(head: Uint8Array): TextKind | undefined {
  // Without a mark it takes ASCII, half of whose bytes are NUL.
  if (!beginsWith(head, LE_MARK) && !beginsWith(head, BE_MARK) && !head.includes(0)) return undefined;
  for (const [name, mark] of [
    ["UTF-16LE", LE_MARK],
    ["UTF-16BE", BE_MARK],
  ] as const) {
    const marked = beginsWith(head, mark);
    const markLength = marked ? mark.length : 0;
    if (!marked && (head.length < 2 * MIN_UNMARKED_UNITS || head.length % 2 !== 0)) continue;
    // The last unit of a cut beginning may be half of a pair.
    const text = decodeUtf16(head.subarray(markLength), name).replace(/[\ud800-\udbff]?\ufffd?$/, "");
    if (isPlainText(text) && (marked || isMostlyAscii(text))) return { kind: name, markLength };
  }
  return undefined;
}

/** Text no chance bytes make: no NUL, no control character but white space, no half pair, no noncharacter. */
function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/[\0-\x08\x0e-\x1a\x1c-\x1f\ufffe\uffff]/.test(text);
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

/** The first lines of `bytes` that are not ASCII, as many as are judged. */
function foreignLines(bytes: Uint8Array): Buffer {
  const lines: Uint8Array[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length && length < MAX_EVIDENCE;) {
    if (bytes[at]! < 0x80) {
      at += 1;
      continue;
    }
    let from = at;
    let to = at;
    while (from > 0 && bytes[from - 1] !== 0x0a && at - from < MAX_EVIDENCE) from -= 1;
    while (to < bytes.length && bytes[to] !== 0x0a && to - at < MAX_EVIDENCE) to += 1;
    lines.push(bytes.subarray(from, to), Buffer.from("\n"));
    length += to - from + 1;
    at = to + 1;
  }
  return Buffer.concat(lines);
}

/** Whether bytes begin with a byte order mark. */
export function beginsWith(bytes: Uint8Array, mark: Uint8Array): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

/** The byte order in which bytes, a file or its beginning, are plain text in UTF-32, if there is one. */
function utf32Of(bytes: Uint8Array): "UTF-32LE" | "UTF-32BE" | undefined {
  const whole = bytes.subarray(0, bytes.length & ~3);
  if (whole.length === 0) return undefined;
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
  for (const little of [true, false]) {
    let at = 0;
    while (at < whole.length && isTextCode(view.getUint32(at, little))) at += 4;
    if (at === whole.length) return little ? "UTF-32LE" : "UTF-32BE";
  }
  return undefined;
}

function isTextCode(code: number): boolean {
  if (code < 0x20) return code >= 9 && code <= 13;
  return code <= MAX_CODE && (code < 0xd800 || code > 0xdfff) && (code & 0xfffe) !== 0xfffe;
}

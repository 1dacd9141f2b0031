import { isUtf8 } from "node:buffer";
import { asBuffer } from "./as-buffer.ts";
import { controlReason, SNIFFED_BYTES } from "./binary-reason.ts";
import { foreignLines } from "./foreign-pieces.ts";
import { utf32Of } from "./utf32.ts";

/** The kind of text, as far as it can be determined without legacy encodings. */
export interface TextKind {
  /** `damaged UTF-8` has bytes that are none; `legacy` is some other encoding that holds ASCII. */
  readonly kind: "UTF-8" | "damaged UTF-8" | "UTF-16LE" | "UTF-16BE" | "legacy" | "binary";
  /** Bytes of the byte order mark (BOM). */
  readonly markLength: number;
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const LE_MARK = Buffer.from([0xff, 0xfe]);
const BE_MARK = Buffer.from([0xfe, 0xff]);
/** Shortest text, in units, whose UTF-16 is recognised without a mark. */
const MIN_UNMARKED_UNITS = 4;

/** Classifies bytes, a file or its beginning. See `detectEncoding`. */
export function textKind(bytes: Uint8Array): TextKind {
  const head = bytes.subarray(0, SNIFFED_BYTES);
  const wide = utf16Of(head);
  if (wide !== undefined) return wide;
  if (head.includes(0)) return { kind: "binary", markLength: 0 };
  const markLength = beginsWith(bytes, UTF8_MARK) ? UTF8_MARK.length : 0;
  if (isUtf8(bytes)) return { kind: "UTF-8", markLength };
  if (controlReason(head) !== undefined) return { kind: "binary", markLength: 0 };
  if (markLength > 0 || mostlyUtf8(bytes)) return { kind: "damaged UTF-8", markLength };
  return { kind: "legacy", markLength: 0 };
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

/** Whether bytes begin with a byte order mark. */
export function beginsWith(bytes: Uint8Array, mark: Uint8Array): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

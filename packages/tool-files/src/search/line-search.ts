import { isUtf8 } from "node:buffer";
import { countLineFeeds } from "../text/line-index.ts";
import { SEARCHED_LINE_BYTES } from "./search-findings.ts";
import type { SearchedText } from "./searched-text.ts";

interface FoundPlace {
  readonly line: number;
  /** Byte of the file at which it begins. */
  readonly offset: number;
  /** Byte of the line at which its first match begins; 0 in a search over several lines. */
  readonly column: number;
}

export interface LineQuery {
  /** Source of a regular expression, or the text. */
  readonly source: string;
  /** Flags of the regular expression; `undefined` for a text. */
  readonly flags: string | undefined;
  readonly multiline: boolean;
}

const CHUNK_BYTES = 1024 * 1024;

/** Finds matching lines of open files, in JavaScript alone. */
export class LineSearch {
  readonly #text: Buffer | undefined;
  readonly #regex: RegExp | undefined;
  readonly #multiline: boolean;
  /** Made for the first file that is not held. */
  #buffer: Buffer | undefined;

  constructor({ source, flags, multiline }: LineQuery) {
    this.#text = flags === undefined ? Buffer.from(source) : undefined;
    this.#regex = flags === undefined ? undefined : new RegExp(source, `${flags}g`);
    this.#multiline = multiline;
  }

  /**
   * Reports the matching lines of a file in order, until `found` answers with false. Answers whether a line was too long to
   * be searched whole. A search over several lines needs a file that is held.
   */
  search(file: SearchedText, found: (place: FoundPlace) => boolean): boolean {
    if (file.held === undefined) return this.#searchByLine(file, found);
    if (this.#multiline) this.#searchWhole(file.held, found);
    else this.#searchLines(file.held, 0, 0, found);
    return false;
  }

  #searchWhole(bytes: Buffer, found: (place: FoundPlace) => boolean): void {
    const text = escapedText(bytes).replaceAll("\r\n", "\n");
    let [line, offset, end, reported] = [0, 0, endOfLine(text, 0), -1];
    for (const { index, 0: match } of text.matchAll(this.#regex!)) {
      if (index === text.length && (text === "" || text.endsWith("\n"))) break;
      const last = index + Math.max(0, match.length - 1);
      for (;;) {
        if (end >= index && line > reported) {
          if (!found({ line, offset, column: 0 })) return;
          reported = line;
        }
        if (end >= last) break;
        [line, offset, end] = [line + 1, bytes.indexOf(10, offset) + 1, endOfLine(text, end + 1)];
      }
    }
  }

  #searchByLine(file: SearchedText, found: (place: FoundPlace) => boolean): boolean {
    const buffer = (this.#buffer ??= Buffer.allocUnsafe(CHUNK_BYTES + SEARCHED_LINE_BYTES));
    let [line, position, filled, skipping, cut] = [0, 0, 0, false, false];
    for (;;) {
      const length = file.read(position, CHUNK_BYTES).copy(buffer, filled);
      const atEnd = length < CHUNK_BYTES;
      position += length;
      filled += length;
      let from = 0;
      if (skipping) {
        const end = buffer.subarray(0, filled).indexOf(10);
        if (end === -1) {
          if (atEnd) return cut;
          filled = 0;
          continue;
        }
        skipping = false;
        line += 1;
        from = end + 1;
      }
      const to = atEnd ? filled : Math.max(from, buffer.subarray(0, filled).lastIndexOf(10) + 1);
      const lines = buffer.subarray(from, to);
      if (!this.#searchLines(lines, line, position - filled + from, found, SEARCHED_LINE_BYTES) || atEnd) return cut;
      line += countLineFeeds(lines);
      buffer.copyWithin(0, to, filled);
      filled -= to;
      if (filled > SEARCHED_LINE_BYTES) {
        if (!this.#searchLines(buffer.subarray(0, SEARCHED_LINE_BYTES), line, position - filled, found)) return cut;
        [filled, skipping, cut] = [0, true, true];
      }
    }
  }

  /** Searches whole lines, the first of them numbered `line` and at `offset` of the file. Answers whether to go on. */
  #searchLines(
    lines: Buffer,
    line: number,
    offset: number,
    found: (place: FoundPlace) => boolean,
    maxBytes = Infinity,
  ): boolean {
    let [from, number] = [0, line];
    for (let next = this.#next(lines, from); next !== -1; next = this.#next(lines, from)) {
      const start = next === 0 ? 0 : lines.lastIndexOf(10, next - 1) + 1;
      number += countLineFeeds(lines.subarray(from), start - from);
      const end = lines.indexOf(10, next);
      const bytes = lines.subarray(start, Math.min(end === -1 ? lines.length : end, start + maxBytes));
      const column = this.#columnOf(bytes);
      if (column !== -1 && !found({ line: number, offset: offset + start, column })) return false;
      if (end === -1) break;
      [from, number] = [end + 1, number + 1];
    }
    return true;
  }

  /** A byte of the next line from `from` on that may match, -1 if there is none. */
  #next(lines: Buffer, from: number): number {
    if (from >= lines.length) return -1;
    if (this.#text !== undefined) return lines.indexOf(this.#text, from);
    const regex = this.#regex!;
    regex.lastIndex = 0;
    // Without look-around, a match within a line is also a match in the whole text: most files need no look at their lines.
    return from > 0 || LOOK_AROUND.test(regex.source) || regex.test(escapedText(lines)) ? from : -1;
  }

  #columnOf(bytes: Buffer): number {
    if (this.#text !== undefined) return bytes.indexOf(this.#text);
    const line = escapedText(bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes);
    const index = line.search(this.#regex!);
    return index === -1 ? -1 : escapedTextBytes(line.slice(0, index));
  }
}

const LOOK_AROUND = /\(\?<?[=!]/;

/** Where the line feed of the line that holds `at` is, or the text ends. */
function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

/**
 * Bytes as text in which every byte that is no part of UTF-8 is half a surrogate pair of its own, U+DC80 to U+DCFF, so
 * that a regular expression can tell it from every character. (The idea is Python's `surrogateescape`.)
 */
export function escapedText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  let text = "";
  for (let at = 0, valid = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    at += Math.max(1, length);
    if (length > 0 && at < bytes.length) continue;
    const end = length > 0 ? at : at - 1;
    text += bytes.toString("utf8", valid, end);
    if (length === 0) text += String.fromCharCode(0xdc00 + (bytes[at - 1] ?? 0));
    valid = at;
  }
  return text;
}

/** How many bytes such a text stands for. */
export function escapedTextBytes(text: string): number {
  // Alone, half a pair counts as the three bytes of its replacement.
  return Buffer.byteLength(text) - 2 * (text.isWellFormed() ? 0 : (text.match(/[\udc80-\udcff]/gu)?.length ?? 0));
}

/** Bytes of the character at `at`, 0 if there is none. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  return first >= 0xc2 && first <= 0xf4 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length))
    ? length
    : 0;
}

import { escapedText, escapedTextBytes } from "../error/escaped-text.ts";
import { countLineFeeds } from "../text/newline.ts";
import { SEARCHED_LINE_BYTES } from "./search-match.ts";
import type { SearchedText } from "./searched-text.ts";

/** A place where a line matches. */
export interface FoundPlace {
  /** 0-based number of the line. */
  readonly line: number;
  /** Byte of the file at which it begins. */
  readonly offset: number;
  /** Byte of the line at which its first match begins; 0 in a search over several lines. */
  readonly column: number;
}

/** The query, in JavaScript's form. */
export interface LineQuery {
  /** Source of a regular expression, or the text. */
  readonly source: string;
  /** Flags of the regular expression; `undefined` for a text. */
  readonly flags: string | undefined;
  /** Whether a match may go over several lines. */
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
    const text = escapedText(bytes);
    const lines = new TextLines(text);
    let reported = -1;
    for (const { index, 0: match } of text.matchAll(this.#regex!)) {
      if (isInside(text, index)) continue;
      if (index === text.length && (text === "" || text.endsWith("\n"))) break;
      const last = index + Math.max(0, match.length - 1);
      while (lines.end < index) lines.next();
      for (;;) {
        if (lines.line > reported && !found({ line: lines.line, offset: lines.offset, column: 0 })) return;
        reported = lines.line;
        if (lines.end >= last) break;
        lines.next();
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
      const column = this.#columnOf(bytes, end !== -1 && bytes.length === end - start);
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
    // A match within a line is also a match in the whole text: most files need no look at their lines.
    regex.lastIndex = 0;
    return from > 0 || regex.test(escapedText(lines)) ? from : -1;
  }

  #columnOf(bytes: Buffer, closed: boolean): number {
    if (this.#text !== undefined) return bytes.indexOf(this.#text);
    const line = escapedText(bytes);
    // Where a line ends with CRLF, places between the two are there, as for ripgrep.
    const index = firstMatch(this.#regex!, closed && line.endsWith("\r") ? `${line}\n` : line);
    return index === -1 || index > line.length ? -1 : escapedTextBytes(line.slice(0, index));
  }
}

/** Where an expression with the flag `g` matches first, -1 for nowhere. */
function firstMatch(regex: RegExp, text: string): number {
  regex.lastIndex = 0;
  for (let found = regex.exec(text); found !== null; found = regex.exec(text)) {
    if (!isInside(text, found.index)) return found.index;
    regex.lastIndex = found.index + 1;
  }
  return -1;
}

/** Whether a place is between the two units of a character: V8 finds an empty match there. */
function isInside(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

/** The lines of a text, one after the other. */
class TextLines {
  readonly #text: string;
  #start = 0;
  /** Number of the line it is at. */
  line = 0;
  /** Byte at which that line begins. */
  offset = 0;
  /** Where its line feed is, or the text ends. */
  end: number;

  constructor(text: string) {
    this.#text = text;
    this.end = this.#endOfLine();
  }

  next(): void {
    this.offset += escapedTextBytes(this.#text.slice(this.#start, this.end + 1));
    this.#start = this.end + 1;
    this.line += 1;
    this.end = this.#endOfLine();
  }

  #endOfLine(): number {
    const end = this.#text.indexOf("\n", this.#start);
    return end === -1 ? this.#text.length : end;
  }
}

import fs from "node:fs";

/** Most bytes of a line that are searched. What is beyond is not found. */
export const SEARCHED_LINE_BYTES = 256 * 1024;
/** Largest file searched for matches over several lines, which needs all of it in memory. */
export const MULTILINE_FILE_BYTES = 8 * 1024 * 1024;
/** Longest text of a match, in UTF-16 code units. */
const SHOWN_TEXT = 300;
/** Bytes read on each side of a line to find those around it. */
const CONTEXT_BYTES = 64 * 1024;

/** A line that matches. */
export interface SearchMatch {
  /** 0-based number of the line. */
  readonly line: number;
  /** The line, or what is around the match when it is long. */
  readonly text: string;
  /** The lines before it, as many as were wanted and are there. */
  readonly before: readonly string[];
  /** The lines after it. */
  readonly after: readonly string[];
}

/** What was found in a file. */
export interface FileMatches {
  /** Path from the worktree. */
  readonly path: string;
  /** How many of its lines match; of those wanted, in mode `lines`; 1 in mode `files`. */
  readonly count: number;
  /** Its matching lines, in mode `lines`. */
  readonly lines: readonly SearchMatch[];
}

/** The text of a line, cut to what is around the match at byte `column` when it is long. */
function shownText(bytes: Buffer, column: number): string {
  const whole = bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes;
  const text = whole.toString("utf8");
  if (text.length <= SHOWN_TEXT) return text;
  const at = whole.toString("utf8", 0, column).length;
  const from = Math.max(0, Math.min(at - 100, text.length - SHOWN_TEXT));
  const shown = text.slice(from, from + SHOWN_TEXT).toWellFormed();
  return `${from > 0 ? "…" : ""}${shown}${from + SHOWN_TEXT < text.length ? "…" : ""}`;
}

/** The match of an open file's line that begins at `offset`, as it is read now. */
export function readMatch(fd: number, line: number, offset: number, column: number, contextLines: number): SearchMatch {
  const chunk = Buffer.allocUnsafe(Math.min(SEARCHED_LINE_BYTES, Math.max(CONTEXT_BYTES, column + 4096)));
  const window = chunk.subarray(0, fs.readSync(fd, chunk, 0, chunk.length, offset));
  const end = window.indexOf(10);
  const text = shownText(end === -1 ? window : window.subarray(0, end), column);
  const after = end === -1 ? [] : firstLines(window.subarray(end + 1), contextLines);
  return { line, text, before: contextLines === 0 ? [] : linesBefore(fd, offset, contextLines), after };
}

function firstLines(bytes: Buffer, count: number): string[] {
  const lines: string[] = [];
  for (let from = 0; lines.length < count && from < bytes.length;) {
    const end = bytes.indexOf(10, from);
    lines.push(shownText(bytes.subarray(from, end === -1 ? bytes.length : end), 0));
    if (end === -1) break;
    from = end + 1;
  }
  return lines;
}

function linesBefore(fd: number, offset: number, count: number): string[] {
  const start = Math.max(0, offset - CONTEXT_BYTES);
  const bytes = Buffer.allocUnsafe(offset - start);
  const length = fs.readSync(fd, bytes, 0, bytes.length, start);
  const lines: string[] = [];
  for (let end = length - 1; lines.length < count && end >= 0;) {
    const from = end === 0 ? 0 : bytes.lastIndexOf(10, end - 1) + 1;
    lines.push(shownText(bytes.subarray(from, end), 0));
    end = from - 1;
  }
  return lines.toReversed();
}

import type { SearchedText } from "./searched-text.ts";

/** Most bytes of a line that are searched in a file that is not held in memory. */
export const SEARCHED_LINE_BYTES = 256 * 1024;
/** Longest text of a match, in UTF-16 code units. */
const SHOWN_TEXT = 300;
/** Bytes read on each side of a line to find those around it. */
const CONTEXT_BYTES = 64 * 1024;
/** Bytes read before and after a match in its line. */
const MARGIN_BYTES = 4096;

export interface SearchMatch {
  readonly line: number;
  /** The line, or the part around the match if it is long. */
  readonly text: string;
  /** The lines before it, as many as were wanted and are there. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface FileMatches {
  readonly path: string;
  /** How many of its lines match; of those wanted, in mode `lines`; 1 in mode `files`. */
  readonly count: number;
  /** Its matching lines, in mode `lines`. */
  readonly lines: readonly SearchMatch[];
}

/** The text of a line; a long one is cut to the part around the match at byte `column`. */
function shownText(bytes: Buffer, column: number): string {
  const whole = bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes;
  const text = whole.toString("utf8");
  if (text.length <= SHOWN_TEXT) return text;
  const at = whole.toString("utf8", 0, column).length;
  const from = Math.max(0, Math.min(at - 100, text.length - SHOWN_TEXT));
  const shown = text.slice(from, from + SHOWN_TEXT).toWellFormed();
  return `${from > 0 ? "…" : ""}${shown}${from + SHOWN_TEXT < text.length ? "…" : ""}`;
}

/** The match in the line that begins at `offset`, as it is read now. */
export function readMatch(
  file: SearchedText,
  { line, offset, column }: { readonly line: number; readonly offset: number; readonly column: number },
  contextLines: number,
): SearchMatch {
  // Of a long line, the part around the match.
  const skipped = column > MARGIN_BYTES ? column - MARGIN_BYTES : 0;
  const window = file.read(offset + skipped, contextLines === 0 ? 3 * MARGIN_BYTES : CONTEXT_BYTES);
  const end = window.indexOf(10, column - skipped);
  const shown = shownText(end === -1 ? window : window.subarray(0, end), column - skipped);
  const text = skipped > 0 && !shown.startsWith("…") ? `…${shown}` : shown;
  const after = end === -1 ? [] : firstLines(window.subarray(end + 1), contextLines);
  return { line, text, before: contextLines === 0 ? [] : linesBefore(file, offset, contextLines), after };
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

function linesBefore(file: SearchedText, offset: number, count: number): string[] {
  const start = Math.max(0, offset - CONTEXT_BYTES);
  const bytes = file.read(start, offset - start);
  const lines: string[] = [];
  for (let end = bytes.length - 1; lines.length < count && end >= 0;) {
    const from = end === 0 ? 0 : bytes.lastIndexOf(10, end - 1) + 1;
    lines.push(shownText(bytes.subarray(from, end), 0));
    end = from - 1;
  }
  return lines.toReversed();
}

/** Most bytes of a line that are searched. What is beyond is not found. */
export const SEARCHED_LINE_BYTES = 256 * 1024;
/** Longest text of a match, in UTF-16 code units. */
const SHOWN_TEXT = 300;

/** What to search for, and where. */
export interface SearchRequest {
  /** The text, or the regular expression. */
  readonly query: string;
  /** Which of the two. */
  readonly isRegex: boolean;
  /** Paths from the worktree, in the order in which matches are wanted. */
  readonly files: readonly string[];
  /** How many matches are wanted at most. */
  readonly limit: number;
  /** What is attempted, for errors. */
  readonly attempt: string;
  /** Ends the search. */
  readonly signal: AbortSignal;
}

/** A line that matches. */
export interface SearchMatch {
  /** Path from the worktree. */
  readonly path: string;
  /** 0-based number of the line. */
  readonly line: number;
  /** The line, or what is around the match when it is long. */
  readonly text: string;
}

/** What a search found. */
export interface SearchOutcome {
  /** In the order of the files, then of the lines; no more than the limit. */
  readonly matches: readonly SearchMatch[];
  /** Files that could not be read. */
  readonly unreadable: number;
}

/** The match of a line's bytes at `column`, with its text cut to what is around it. */
export function toSearchMatch(path: string, line: number, bytes: Buffer, column: number): SearchMatch {
  const whole = bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes;
  if (whole.length <= SHOWN_TEXT) return { path, line, text: whole.toString("utf8") };
  const text = whole.toString("utf8");
  const at = whole.toString("utf8", 0, column).length;
  if (text.length <= SHOWN_TEXT) return { path, line, text };
  const from = Math.max(0, Math.min(at - 100, text.length - SHOWN_TEXT));
  const shown = text.slice(from, from + SHOWN_TEXT).toWellFormed();
  return { path, line, text: `${from > 0 ? "…" : ""}${shown}${from + SHOWN_TEXT < text.length ? "…" : ""}` };
}

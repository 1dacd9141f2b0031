import { LAST_LINE, type SearchRequest } from "./search-request.ts";
import type { OmissionReason, SearchedText } from "./searched-text.ts";

type Found = { readonly path: string; count: number; readonly lines: SearchMatch[] };

/** Characters of matches in one answer: with its notes it stays below the limit of an answer. */
const MAX_CHARS = 80_000;

/** A place up to which everything was searched. */
export interface SearchedPlace {
  readonly path: string;
  readonly line: number;
}

/** The matches of a search so far, in order of path. */
export class SearchFindings {
  /** Files it left out. */
  readonly omissions: SearchOmissions = new SearchOmissions();
  /** How much more an answer holds: matching lines, or files, and characters. */
  #left: number;
  #charsLeft = MAX_CHARS;
  readonly #mode: SearchRequest["mode"];
  readonly #found: Found[] = [];
  #searched: SearchedPlace | undefined;

  constructor({ limit, mode }: Pick<SearchRequest, "limit" | "mode">) {
    this.#left = limit;
    this.#mode = mode;
  }

  /** Whether there is more than an answer holds. */
  get isFull(): boolean {
    return this.#left <= 0 || this.#charsLeft <= 0;
  }

  get files(): readonly FileMatches[] {
    return this.#found;
  }

  /** How many matching lines, or files, there are. */
  get units(): number {
    return this.#mode === "lines" ? this.#found.reduce((sum, { lines }) => sum + lines.length, 0) : this.#found.length;
  }

  /** The last place up to which everything was searched; `undefined` when nothing was. */
  get searched(): SearchedPlace | undefined {
    const last = this.#found.at(-1);
    if (last === undefined || (this.#searched !== undefined && this.#searched.path >= last.path)) return this.#searched;
    // The file may have more lines, but every line before its last one was searched.
    const line = this.#mode === "lines" ? last.lines.at(-1)?.line : undefined;
    return line === undefined ? this.#searched : { path: last.path, line };
  }

  /** Adds a matching line of a file, or a file that matches once more. */
  add(path: string, match: SearchMatch | undefined): void {
    let last = this.#found.at(-1);
    if (last?.path !== path) {
      last = { path, count: 0, lines: [] };
      this.#found.push(last);
      if (match === undefined) this.#take(path.length);
    }
    last.count = this.#mode === "files" ? 1 : last.count + 1;
    if (match === undefined) return;
    last.lines.push(match);
    const around = [...match.before, ...match.after];
    this.#take(around.reduce((sum, line) => sum + path.length + line.length, path.length + match.text.length));
  }

  #take(chars: number): void {
    this.#left -= 1;
    this.#charsLeft -= chars + 8;
  }

  /** Adds a file that was searched by another part. */
  addFile({ path, count, lines }: FileMatches): void {
    if (this.#mode === "lines") for (const line of lines) this.add(path, line);
    else {
      this.add(path, undefined);
      this.#found.at(-1)!.count = count;
    }
  }

  /** Says that every file up to this path was searched. */
  searchedTo(path: string): void {
    this.#searched = { path, line: LAST_LINE };
  }

  /** Drops the last file, of which not all matches may have been counted. */
  dropUnfinished(): void {
    const last = this.#found.at(-1);
    if (
      last !== undefined &&
      this.#mode === "count" &&
      !(this.#searched !== undefined && this.#searched.path >= last.path)
    )
      this.#found.pop();
  }
}

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

/** Files that were not searched, or not wholly, for one reason. */
export interface Omission {
  readonly reason: OmissionReason;
  readonly count: number;
  /** The first of them, from the worktree. */
  readonly paths: readonly string[];
}

/** Paths kept for a reason. */
const MAX_PATHS = 20;

export class SearchOmissions {
  readonly #kept = new Map<OmissionReason, { count: number; readonly paths: string[] }>();

  get list(): Omission[] {
    return [...this.#kept].map(([reason, kept]) => ({ reason, ...kept }));
  }

  add(reason: OmissionReason, path: string): void {
    this.addAll([{ reason, count: 1, paths: [path] }]);
  }

  /** Adds the omissions of another part of the search. */
  addAll(omissions: readonly Omission[]): void {
    for (const { reason, count, paths } of omissions) {
      if (count === 0) continue;
      const kept = this.#kept.get(reason) ?? { count: 0, paths: [] };
      kept.count += count;
      kept.paths.push(...paths.slice(0, Math.max(0, MAX_PATHS - kept.paths.length)));
      this.#kept.set(reason, kept);
    }
  }
}

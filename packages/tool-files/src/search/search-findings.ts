import type { FileMatches, SearchMatch } from "./search-match.ts";
import { SearchOmissions } from "./search-omissions.ts";
import { LAST_LINE, type SearchRequest } from "./search-request.ts";

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

/** Searches at a time in the process: each has processes or threads of its own, and holds files open. */
export const MAX_SEARCHES = 4;

export interface SearchQuery {
  readonly text: string;
  readonly isRegex: boolean;
  /** Whether `a` is found by `A`, by Unicode's simple case folding. */
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
}

/** The files a search looks at. */
interface SearchScope {
  /** Directory or file, from the worktree. */
  readonly path: string;
  /** A glob made by `globPattern`, relative to `path`. Default: every file. */
  readonly pattern: string | undefined;
  /** Whether to search files that `.gitignore` leaves out. */
  readonly includeIgnored: boolean;
  /** Whether to look at names that begin with a dot. */
  readonly includeHidden: boolean;
}

/** The results wanted of a search, and how many. */
export interface SearchRequest {
  readonly query: SearchQuery;
  readonly scope: SearchScope;
  /** `lines`: the matching lines; `files`: the files that have one; `count`: these, and how many lines each has. */
  readonly mode: "lines" | "files" | "count";
  /** How many are wanted at most: lines, or files in the other modes. The last of them proves that there are more. */
  readonly limit: number;
  /** Where to go on: after this line of this file, or after this file in the other modes. */
  readonly after: { readonly path: string; readonly line: number } | undefined;
  /** Lines wanted before and after each matching line. */
  readonly contextLines: number;
  /** How files write text that are neither UTF-8 nor marked, if the caller states it: a name that `encodingName` gives. */
  readonly encoding: string | undefined;
  /** The bytes by which the query may stand in files of other encodings. See `otherForms`. */
  readonly forms: readonly Uint8Array[] | undefined;
  readonly attempt: string;
  readonly signal: AbortSignal;
}

/** Line number of a place behind every line of its file. */
export const LAST_LINE: number = Number.MAX_SAFE_INTEGER;

/** The first line of a file that is wanted. */
export function firstLine(path: string, { after, mode }: Pick<SearchRequest, "after" | "mode">): number {
  return mode === "lines" && after?.path === path ? after.line + 1 : 0;
}

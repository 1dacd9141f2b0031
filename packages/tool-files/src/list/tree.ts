import type { IndexBudget } from "./tracked-files.ts";

/** Limits of a listing, after which it stops. */
export interface TreeBudget extends IndexBudget {
  /** Entries looked at. Default 1,000,000, so that memory is bounded. */
  readonly maxEntries?: number;
  /** Milliseconds. Default: no limit. */
  readonly timeoutMs?: number;
  /** Size, as the system gives it, of a directory that is read. A listing stops before a larger one. Default: any. */
  readonly maxDirectoryBytes?: number;
  /** Characters of a `.gitignore`. A listing stops before a longer one. Default: any. */
  readonly maxIgnoreChars?: number;
}

/** One of the parts into which a recursive listing is divided, so that threads can make them at the same time. */
interface TreeShare {
  readonly index: number;
  readonly count: number;
}

export interface TreeRequest {
  /** The directory, from the worktree. */
  readonly path: string;
  /** A glob made by `globPattern`, relative to `path`; without a slash it matches names at any depth. Default: everything. */
  readonly pattern: string | undefined;
  readonly recursive: boolean;
  /** Whether to list entries that `.gitignore` leaves out. */
  readonly includeIgnored: boolean;
  /** Whether to list names that begin with a dot, and to go into such directories. */
  readonly includeHidden: boolean;
  /** Whether links to files inside the worktree count as files. Links to directories are never entered. */
  readonly links: boolean;
  /** Directories too, in the answer's `directories`. */
  readonly directories: boolean;
  readonly attempt: string;
  readonly signal?: AbortSignal;
  /** The part of the tree to list. Default: all. */
  readonly share?: TreeShare;
  /** Limits at which it stops by itself, with the entries found so far. */
  readonly budget?: TreeBudget;
}

/** The entries found. Paths are from the worktree, with `/` between names, in code unit order. */
export interface Tree {
  readonly files: readonly string[];
  readonly directories: readonly string[];
  /** Entries left out by `.gitignore`; the contents of an ignored directory are not counted. */
  readonly ignored: number;
  /** Links that were left out. */
  readonly links: number;
  /** Directories that could not be read, in the order in which they were met. */
  readonly unreadable: readonly string[];
  /** Entries whose names are not UTF-8, which were left out. */
  readonly nameless: number;
  /** Rules of `.gitignore` files that were not applied. */
  readonly rulesLeftOut: number;
  /** Whether `path` itself is ignored, so that the rules above it were not applied. */
  readonly insideIgnored: boolean;
  /** Whether the listing stopped before it had looked at everything. */
  readonly incomplete: boolean;
}

/** The level of the directories that are divided among the parts of a listing: those below them follow, those above are read by all. */
const DIVIDED_LEVEL = 2;

/** Whether all parts of a listing read a directory. It is given by its path from the one that is listed, `""` for that one. */
export function isReadByAll(directory: string): boolean {
  return namesOf(directory).length < DIVIDED_LEVEL;
}

/** Whether a part lists the entries of a directory. Of a directory that all parts read the first one does. */
export function lists(share: TreeShare | undefined, directory: string): boolean {
  if (share === undefined) return true;
  return isReadByAll(directory) ? share.index === 0 : mayEnter(share, directory);
}

/** Whether a part reads a directory. By its path alone: the parts see the tree at different moments. */
export function mayEnter(share: TreeShare, directory: string): boolean {
  if (isReadByAll(directory)) return true;
  let sum = 0;
  for (const character of namesOf(directory).slice(0, DIVIDED_LEVEL).join("/"))
    sum = (Math.imul(sum, 31) + character.codePointAt(0)!) >>> 0;
  return sum % share.count === share.index;
}

function namesOf(directory: string): string[] {
  return directory === "" ? [] : directory.split("/");
}

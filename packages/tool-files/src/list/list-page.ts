import { FilesError } from "../error/files-error.ts";
import { printablePath } from "../error/printable-path.ts";
import { withHeldSandbox } from "../sandbox/open-sandbox.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { LIST_TIMEOUT_MS, listTree, type ListWork, type Tree, type TreeBudget, type TreeRequest } from "./list-tree.ts";
import { TreeFiles } from "./tree-files.ts";

/** Characters of paths in one answer: with its notes it stays below the limit of an answer, which would cut off the cursor. */
const MAX_PAGE_CHARS = 90_000;

/** A page of a listing. It can be sent to a thread. */
export interface ListPageRequest extends Omit<TreeRequest, "links" | "after" | "maxFiles"> {
  readonly sort: ListOrder;
  readonly limit: number;
  readonly place: PageCursor | undefined;
}

/** Some of the entries of a listing, and how many there are. */
export interface ListPage extends Omit<Tree, "files" | "directories" | "complete" | "reached" | "stopped"> {
  readonly shown: readonly ListedEntry[];
  /** How many entries there are; `undefined` for a page that {@link goesOn}, which does not count them. */
  readonly total: { readonly entries: number; readonly atLeast: boolean } | undefined;
  /** How many of them come after the place where the page begins. */
  readonly left: number | undefined;
  /** Where to go on after this page, if there are more. */
  readonly cursor: string | undefined;
  /** Whether the listing stopped before it had looked at everything, and no page goes on. */
  readonly incomplete: boolean;
}

/** Whether a page is one whose entries are read alone, without those before it and after it. */
export function goesOn({ sort, place, recursive }: Pick<ListPageRequest, "sort" | "place" | "recursive">): boolean {
  return recursive && sort === "path" && place !== undefined;
}

/**
 * Lists a part of the worktree and cuts a page out of it. Of a page that {@link goesOn} only the directories that hold its files are
 * read. `undefined`: it takes more files than `maxStats` to be looked at.
 */
export function listPage(
  sandbox: Sandbox,
  page: ListPageRequest,
  { maxStats, ...budget }: TreeBudget & { readonly maxStats: number },
): ListPage | undefined {
  const { sort, limit, place, ...request } = page;
  const isPart = goesOn(page);
  // A place among directories is before all files.
  const after = !isPart || place === undefined || place.key < 0 ? undefined : { path: place.path, inclusive: false };
  // One more than is shown proves that there are more.
  const wanted = { ...request, links: true, after, ...(isPart && { maxFiles: limit + 1 }) };
  const { files, directories, complete, reached, stopped, ...omissions } = listTree(sandbox, wanted, budget);
  if (sort !== "path" && files.length > maxStats) return undefined;
  const entries = sortedEntries(sandbox, { files, directories }, sort);
  const left = isPart || place === undefined ? entries : entries.filter((entry) => isAfter(entry, place, sort));
  const shown = left.slice(0, Math.min(limit, fitting(left)));
  const last =
    left.length > shown.length
      ? shown.at(-1)
      : // Where a listing in order of path has stopped, the next page goes on.
        stopped && request.recursive && sort === "path" && reached !== undefined
        ? { key: 0, path: reached }
        : undefined;
  const cursor = last && toCursor(last);
  return {
    ...omissions,
    shown,
    cursor,
    incomplete: !complete && cursor === undefined,
    left: isPart ? undefined : left.length,
    total: isPart ? undefined : { entries: entries.length, atLeast: stopped },
  };
}

/** {@link listPage} in the thread that this is called in. */
export function listPageHere({ worktree, request }: ListWork<ListPageRequest>): ListPage {
  const budget = { timeoutMs: LIST_TIMEOUT_MS, maxStats: Infinity };
  return withHeldSandbox(worktree, (sandbox) => listPage(sandbox, request, budget)!);
}

/** How many of the entries fit on a page, one at least. */
function fitting(entries: readonly ListedEntry[]): number {
  let chars = 0;
  const over = entries.findIndex(({ path }) => (chars += printablePath(path).length + 1) > MAX_PAGE_CHARS);
  return over === -1 ? entries.length : Math.max(1, over);
}

/** Orders of a listing: by path; the latest change first; the largest first. */
export const LIST_ORDERS = ["path", "modified", "size"] as const;

type ListOrder = (typeof LIST_ORDERS)[number];

interface ListedEntry extends PageCursor {
  /** Path from the worktree, of a directory with a slash at the end. */
  readonly path: string;
  /** By `modified` the time in milliseconds since 1970, by `size` bytes, by `path` 0. A directory, which comes first, has -1. */
  readonly key: number;
}

/** The entries in order: directories first, then files. */
function sortedEntries(
  sandbox: Sandbox,
  { files, directories }: { readonly files: readonly string[]; readonly directories: readonly string[] },
  order: ListOrder,
): readonly ListedEntry[] {
  const first = directories.map((path) => ({ key: -1, path: `${path}/` }));
  if (order === "path") return [...first, ...files.map((path) => ({ key: 0, path }))];
  const reader = new TreeFiles(sandbox);
  try {
    const keyed = files.map((path) => ({ key: keyOf(reader, path, order), path }));
    return [...first, ...keyed.toSorted((one, other) => (isAfter(one, other, order) ? 1 : -1))];
  } finally {
    reader.close();
  }
}

/** Whether an entry comes after a place in the order, which no entry needs to be at any more. */
function isAfter(entry: ListedEntry, place: PageCursor, order: ListOrder): boolean {
  if (entry.key < 0 !== place.key < 0) return place.key < 0;
  if (order === "path" || entry.key === place.key || entry.key < 0) return withoutSlash(entry) > withoutSlash(place);
  return entry.key < place.key;
}

/** Directories sort without the slash that marks them. */
function withoutSlash({ key, path }: PageCursor): string {
  return key < 0 ? path.replace(/\/$/, "") : path;
}

function keyOf(reader: TreeFiles, path: string, order: ListOrder): number {
  try {
    const { size, mtimeMs } = reader.stat(path);
    return order === "size" ? size : Math.max(0, mtimeMs);
  } catch {
    return 0;
  }
}

/** The place after which a next call continues: a path, and its sort key. It needs no state. */
export interface PageCursor {
  /** The sort key before the path, such as a number of a line, a time or a size. */
  readonly key: number;
  readonly path: string;
}

const FORM = /^(-?\d+(?:\.\d+)?):(.+)$/s;

/** A cursor as one word without blanks, quotes or control characters. */
export function toCursor({ key, path }: PageCursor): string {
  return `${key}:${encodeURIComponent(path.toWellFormed()).replaceAll("%2F", "/")}`;
}

/**
 * The cursor that {@link toCursor} made.
 *
 * @throws {FilesError} Code `invalid_cursor`.
 */
export function fromCursor(text: string, attempt: string): PageCursor {
  const [, key, path] = FORM.exec(text) ?? [];
  try {
    if (key !== undefined && path !== undefined) return { key: Number(key), path: decodeURIComponent(path) };
  } catch {
    // No cursor of ours.
  }
  throw new FilesError(`${attempt}: the cursor is invalid, allowed is one that an answer ended with`, {
    code: "invalid_cursor",
  });
}

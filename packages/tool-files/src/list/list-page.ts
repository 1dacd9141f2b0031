import { FilesError } from "../error/files-error.ts";
import { printablePath } from "../error/printable-path.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { listTree } from "./list-tree.ts";
import { orderedFiles } from "./ordered-files.ts";
import { TreeFiles } from "./tree-files.ts";
import type { Tree, TreeBudget, TreeRequest } from "./tree.ts";

/** Characters of paths in one answer: with its notes it stays below the limit of an answer, which would cut off the cursor. */
const MAX_PAGE_CHARS = 90_000;

/** A page of a listing. It can be sent to a thread. */
export interface ListPageRequest extends Pick<
  TreeRequest,
  "path" | "pattern" | "recursive" | "includeIgnored" | "includeHidden" | "attempt" | "share"
> {
  readonly sort: ListOrder;
  readonly limit: number;
  readonly place: PageCursor | undefined;
}

/** Some of the entries of a listing, and how many there are. */
export interface ListPage extends Omit<Tree, "files" | "directories"> {
  readonly shown: readonly ListedEntry[];
  /** How many entries there are; `undefined` for a page that {@link goesOn}, which does not count them. */
  readonly total: { readonly entries: number; readonly atLeast: boolean } | undefined;
  /** How many of them come after the place where the page begins. */
  readonly left: number | undefined;
  /** Where to go on after this page, if there are more. */
  readonly cursor: string | undefined;
}

/** Whether a page is one whose entries are read alone, without those before it and after it. */
export function goesOn({ sort, place, recursive }: Pick<ListPageRequest, "sort" | "place" | "recursive">): boolean {
  return recursive && sort === "path" && place !== undefined;
}

/** A place before all files. */
const START: PageCursor = { key: 0, path: "" };

/** The first page of a tree that is too large to be counted, made as later pages are. */
export async function firstPage(
  request: ListPageRequest,
  counted: ListPage,
  pageAt: (request: ListPageRequest) => Promise<ListPage>,
): Promise<ListPage> {
  if (!counted.incomplete || goesOn(request) || !goesOn({ ...request, place: START })) return counted;
  const { shown, cursor, incomplete } = await pageAt({ ...request, place: START });
  return { ...counted, shown, cursor, incomplete };
}

/** Lists a part of the worktree and cuts a page out of it. `undefined`: it takes more files than `maxStats` to be looked at. */
export async function listPage(
  sandbox: Sandbox,
  page: ListPageRequest,
  budget: TreeBudget & { readonly maxStats: number },
  signal?: AbortSignal,
): Promise<ListPage | undefined> {
  if (goesOn(page)) return nextPage(sandbox, page, budget);
  const { sort, limit, place, ...request } = page;
  const { files, directories, ...tree } = await listTree(sandbox, {
    ...request,
    links: true,
    directories: !request.recursive,
    budget,
    ...(signal !== undefined && { signal }),
  });
  if (sort !== "path" && files.length > budget.maxStats) return undefined;
  const entries = sortedEntries(sandbox, { files, directories }, sort);
  const left = place === undefined ? entries : entries.filter((entry) => isAfter(entry, place, sort));
  const total = { entries: entries.length, atLeast: tree.incomplete };
  return { ...tree, ...cut(left, left.length, limit), left: left.length, total };
}

/** A page that begins after a place: only the directories that hold its files are read. */
function nextPage(sandbox: Sandbox, { limit, place, ...request }: ListPageRequest, budget: TreeBudget): ListPage {
  // A place among directories is before all files.
  const after = place === undefined || place.key < 0 ? undefined : { path: place.path, inclusive: false };
  const { files, complete, reached, ...tree } = orderedFiles(
    sandbox,
    // One more than is shown, which proves that there are more.
    { ...request, links: true, after, maxFiles: limit + 1 },
    budget,
  );
  const entries = files.map((path) => ({ key: 0, path }));
  const { shown, cursor } = cut(entries, files.length, limit);
  // Where it stopped, the next page goes on.
  const next = cursor ?? (complete || reached === undefined ? undefined : toCursor({ key: 0, path: reached }));
  const incomplete = !complete && next === undefined;
  return { ...tree, shown, cursor: next, incomplete, left: undefined, total: undefined };
}

/** The page of a listing that was made in parts, of which each has made its own page. */
export function joinedPage(parts: readonly ListPage[], { sort, limit }: ListPageRequest): ListPage {
  const [first] = parts;
  if (parts.length === 1) return first!;
  const sum = (count: (part: ListPage) => number) => parts.reduce((all, part) => all + count(part), 0);
  const left = sum((part) => part.left ?? 0);
  const incomplete = parts.some((part) => part.incomplete);
  const shown = parts.flatMap((part) => part.shown).toSorted((one, other) => (isAfter(one, other, sort) ? 1 : -1));
  return {
    ...cut(shown, left, limit),
    left,
    total: { entries: sum(({ total }) => total?.entries ?? 0), atLeast: incomplete },
    ignored: sum(({ ignored }) => ignored),
    links: sum(({ links }) => links),
    nameless: sum(({ nameless }) => nameless),
    rulesLeftOut: sum(({ rulesLeftOut }) => rulesLeftOut),
    unreadable: parts.flatMap(({ unreadable }) => unreadable),
    insideIgnored: first!.insideIgnored,
    incomplete,
  };
}

/** The page that begins with these entries, after which there may be others than these. */
function cut(entries: readonly ListedEntry[], left: number, limit: number) {
  const shown = entries.slice(0, Math.min(limit, fitting(entries)));
  const last = left > shown.length ? shown.at(-1) : undefined;
  return { shown, cursor: last === undefined ? undefined : toCursor(last) };
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

import { printablePath } from "../error/printable-path.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { isAfter, sortedEntries, type ListedEntry, type ListOrder } from "./list-sort.ts";
import { listTree } from "./list-tree.ts";
import { toCursor, type PageCursor } from "./page-cursor.ts";
import type { Tree, TreeBudget, TreeRequest } from "./tree.ts";

/** Characters of paths in one answer: with its notes it stays below the limit of an answer, which would cut off the cursor. */
const MAX_PAGE_CHARS = 90_000;

/** A page of a listing. It can be sent to a thread. */
export interface ListPageRequest extends Pick<
  TreeRequest,
  "path" | "pattern" | "recursive" | "includeIgnored" | "includeHidden" | "attempt" | "share"
> {
  /** The order of the entries. */
  readonly sort: ListOrder;
  /** Most entries of the page. */
  readonly limit: number;
  /** Where to go on. */
  readonly place: PageCursor | undefined;
}

/** Some of the entries of a listing, and how many there are. */
export interface ListPage extends Omit<Tree, "files" | "directories"> {
  /** The entries of the page. */
  readonly shown: readonly ListedEntry[];
  /** How many entries there are after the place where it goes on. */
  readonly left: number;
  /** How many there are. */
  readonly total: number;
  /** Where to go on after this page, if there are more. */
  readonly cursor: string | undefined;
}

/** Lists a part of the worktree and cuts a page out of it. `undefined`: it takes more files than `maxStats` to be looked at. */
export async function listPage(
  sandbox: Sandbox,
  { sort, limit, place, ...request }: ListPageRequest,
  budget: TreeBudget & { readonly maxStats: number },
  signal?: AbortSignal,
): Promise<ListPage | undefined> {
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
  return { ...tree, ...cut(left, left.length, limit), total: entries.length };
}

/** The page of a listing that was made in parts, of which each has made its own page. */
export function joinedPage(parts: readonly ListPage[], { sort, limit }: ListPageRequest): ListPage {
  const [first] = parts;
  if (parts.length === 1) return first!;
  const sum = (count: (part: ListPage) => number) => parts.reduce((all, part) => all + count(part), 0);
  const shown = parts.flatMap((part) => part.shown).toSorted((one, other) => (isAfter(one, other, sort) ? 1 : -1));
  return {
    ...cut(
      shown,
      sum(({ left }) => left),
      limit,
    ),
    total: sum(({ total }) => total),
    ignored: sum(({ ignored }) => ignored),
    links: sum(({ links }) => links),
    nameless: sum(({ nameless }) => nameless),
    rulesLeftOut: sum(({ rulesLeftOut }) => rulesLeftOut),
    unreadable: parts.flatMap(({ unreadable }) => unreadable),
    insideIgnored: first!.insideIgnored,
    incomplete: parts.some(({ incomplete }) => incomplete),
  };
}

/** The page that begins with these entries, after which there may be others than these. */
function cut(entries: readonly ListedEntry[], left: number, limit: number) {
  const shown = entries.slice(0, Math.min(limit, fitting(entries)));
  const last = left > shown.length ? shown.at(-1) : undefined;
  return { shown, left, cursor: last === undefined ? undefined : toCursor(last) };
}

/** How many of the entries fit on a page, one at least. */
function fitting(entries: readonly ListedEntry[]): number {
  let chars = 0;
  const over = entries.findIndex(({ path }) => (chars += printablePath(path).length + 1) > MAX_PAGE_CHARS);
  return over === -1 ? entries.length : Math.max(1, over);
}

import type { Sandbox } from "../sandbox/sandbox.ts";
import type { PageCursor } from "./page-cursor.ts";
import { TreeFiles } from "./tree-files.ts";

/** Orders of a listing: by path; the latest change first; the largest first. */
export const LIST_ORDERS = ["path", "modified", "size"] as const;

export type ListOrder = (typeof LIST_ORDERS)[number];

export interface ListedEntry extends PageCursor {
  /** Path from the worktree, of a directory with a slash at the end. */
  readonly path: string;
  /** By `modified` the time in milliseconds since 1970, by `size` bytes, by `path` 0. A directory, which comes first, has -1. */
  readonly key: number;
}

/** The entries in order: directories first, then files. */
export function sortedEntries(
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
export function isAfter(entry: ListedEntry, place: PageCursor, order: ListOrder): boolean {
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

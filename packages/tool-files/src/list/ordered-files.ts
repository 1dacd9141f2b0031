import type { Dirent } from "node:fs";
import { comesAfter, orderKey, type PathPlace } from "../sandbox/path-segments.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { pathMatcher } from "./glob-pattern.ts";
import { listedDirectory } from "./list-tree.ts";
import { TreeReader } from "./tree-reader.ts";
import type { Tree, TreeBudget, TreeRequest } from "./tree.ts";

/** A part of the files of a tree, in order of path. It can be sent to a thread. */
export interface OrderedFilesRequest extends Pick<
  TreeRequest,
  "path" | "pattern" | "includeIgnored" | "includeHidden" | "links" | "attempt"
> {
  /** Files after this path, which needs not be there any more; with `inclusive` also the file of this path. */
  readonly after: PathPlace | undefined;
  readonly maxFiles: number;
}

/**
 * The files, and the omissions on the way to the last of them; omissions beside the file of `after` or above were
 * counted before.
 */
export interface OrderedFiles extends Omit<Tree, "directories" | "incomplete"> {
  /** Whether there are no more files after these. */
  readonly complete: boolean;
  /** The last file that was looked at, whether it matches or not. */
  readonly reached: string | undefined;
  /** Whether the budget ended the listing: the files are nevertheless all there are up to the last of them. */
  readonly stopped: boolean;
}

/**
 * Lists the files that come after a path, as a listing of the whole tree has them, and enters no directory that it does
 * not need for them. The same rules apply as in `listTree`.
 */
export function orderedFiles(sandbox: Sandbox, request: OrderedFilesRequest, budget: TreeBudget): OrderedFiles {
  const { path, pattern, after, maxFiles, attempt } = request;
  const start = listedDirectory(sandbox, path, attempt);
  const reader = new TreeReader(sandbox, { ...request, recursive: true, directories: false, budget }, start);
  try {
    const files: string[] = [];
    let reached: string | undefined;
    const prefix = start === "" ? 0 : start.length + 1;
    const matcher = pattern === undefined ? undefined : pathMatcher(pattern);
    const mayHold = (directory: string) => matcher?.mayHold(directory.slice(prefix)) ?? true;
    for (const file of filesIn(reader, start, after, mayHold)) {
      reached = file;
      if (matcher?.matches(file.slice(prefix)) === false) continue;
      files.push(file);
      if (files.length === maxFiles) break;
    }
    const { incomplete: _, ...counts } = reader.counts();
    const { stopped } = reader;
    return { ...counts, files, complete: files.length < maxFiles && !stopped, reached, stopped };
  } finally {
    reader.close();
  }
}

function* filesIn(
  reader: TreeReader,
  directory: string,
  after: PathPlace | undefined,
  mayHold: (directory: string) => boolean,
): Generator<string> {
  const prefix = directory === "" ? "" : `${directory}/`;
  const keyOf = (entry: Dirent) => orderKey(directory, entry.name, entry.isDirectory());
  // The part before this one has read it, too.
  const counted = after?.path.startsWith(prefix) ?? false;
  const entries = reader.entriesInOrder(directory, counted, (entry) => comesAfter(keyOf(entry), after));
  // The entries read of a directory when the budget ended are in no order.
  if (reader.stopped) return;
  const keyed = entries.map((entry) => ({ key: keyOf(entry), entry }));
  for (const { key, entry } of keyed.toSorted((one, other) => (one.key < other.key ? -1 : 1))) {
    if (reader.stopped) return;
    if (!entry.isDirectory()) yield key;
    else if (mayHold(key)) yield* filesIn(reader, key.slice(0, -1), after, mayHold);
  }
}

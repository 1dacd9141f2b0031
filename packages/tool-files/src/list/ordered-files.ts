import type { Sandbox } from "../sandbox/sandbox.ts";
import { listedDirectory } from "./list-tree.ts";
import { pathMatcher } from "./path-matcher.ts";
import { TreeReader } from "./tree-reader.ts";
import type { Tree, TreeBudget, TreeRequest } from "./tree.ts";

/** A part of the files of a tree, in order of path. It can be sent to a thread. */
export interface OrderedFilesRequest extends Pick<
  TreeRequest,
  "path" | "pattern" | "includeIgnored" | "includeHidden" | "attempt"
> {
  /** Files after this path, which needs not be there any more; with `inclusive` also the file of this path. */
  readonly after: { readonly path: string; readonly inclusive: boolean } | undefined;
  /** Most files. */
  readonly maxFiles: number;
}

/**
 * The files, and the omissions on the way to the last of them; omissions beside the file of `after` or above were
 * counted before.
 */
export interface OrderedFiles extends Omit<Tree, "directories" | "incomplete"> {
  /** Whether there are no more files after these. */
  readonly complete: boolean;
  /** Whether the budget ended the listing: the files are nevertheless all there are up to the last of them. */
  readonly stopped: boolean;
}

/**
 * Lists the regular files that come after a path, as a listing of the whole tree has them, and enters no directory that
 * it does not need for them. The same rules apply as in `listTree`; links are left out.
 */
export function orderedFiles(sandbox: Sandbox, request: OrderedFilesRequest, budget: TreeBudget): OrderedFiles {
  const { path, pattern, after, maxFiles, attempt } = request;
  const start = listedDirectory(sandbox, path, attempt);
  const reader = new TreeReader(
    sandbox,
    { ...request, recursive: true, links: false, directories: false, budget },
    start,
  );
  try {
    const files: string[] = [];
    const prefix = start === "" ? 0 : start.length + 1;
    const matches = pattern === undefined ? undefined : pathMatcher(pattern);
    for (const file of filesIn(reader, start, after)) {
      if (matches !== undefined && !matches(file.slice(prefix))) continue;
      files.push(file);
      if (files.length === maxFiles) break;
    }
    const { incomplete: _, ...counts } = reader.counts();
    return { ...counts, files, complete: files.length < maxFiles && !reader.stopped, stopped: reader.stopped };
  } finally {
    reader.close();
  }
}

function* filesIn(reader: TreeReader, directory: string, after: OrderedFilesRequest["after"]): Generator<string> {
  const prefix = directory === "" ? "" : `${directory}/`;
  // The part before this one has read it, too.
  const entries = reader.entriesInOrder(directory, after?.path.startsWith(prefix) ?? false);
  // The entries read of a directory when the budget ended are in no order.
  if (reader.stopped) return;
  // A directory comes where its files do.
  const keyed = entries.map((entry) => ({ key: prefix + entry.name + (entry.isDirectory() ? "/" : ""), entry }));
  for (const { key, entry } of keyed.toSorted((one, other) => (one.key < other.key ? -1 : 1))) {
    if (reader.stopped) return;
    if (entry.isDirectory()) {
      if (after === undefined || key > after.path || after.path.startsWith(key))
        yield* filesIn(reader, key.slice(0, -1), after);
    } else if (entry.isFile() && (after === undefined || key > after.path || (after.inclusive && key === after.path))) {
      yield key;
    }
  }
}

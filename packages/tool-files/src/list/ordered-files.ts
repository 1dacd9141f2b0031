import type { Sandbox } from "../sandbox/sandbox.ts";
import { listedDirectory } from "./list-tree.ts";
import { TreeReader } from "./tree-reader.ts";
import { TreeWalk } from "./tree-walk.ts";
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
    const walk = new TreeWalk(reader, { start, pattern, recursive: true, after, inParts: true });
    for (const run of walk.runs()) {
      // The entries read of a directory when the budget ended are in no order.
      if (reader.stopped) break;
      files.push(...run.slice(0, maxFiles - files.length));
      if (files.length === maxFiles) break;
    }
    const { incomplete: _, ...counts } = reader.counts();
    return { ...counts, files, complete: files.length < maxFiles && !reader.stopped, stopped: reader.stopped };
  } finally {
    reader.close();
  }
}

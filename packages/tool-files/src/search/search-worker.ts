import fs from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { TreeFiles, type TreeRoot } from "../list/tree-files.ts";
import { LineSearch, type FoundPlace, type LineQuery } from "./line-search.ts";
import { readMatch, type FileMatches, type SearchMatch } from "./search-match.ts";
import { firstLine, type SearchRequest } from "./search-request.ts";

/** What a search thread is started with. */
export interface SearchWorkerData {
  /** What to find. */
  readonly query: LineQuery;
  /** Where. */
  readonly root: TreeRoot;
  /** What to report of it. */
  readonly wanted: Pick<SearchRequest, "mode" | "limit" | "after" | "contextLines">;
}

/** What a search thread answers to a list of paths. */
export interface SearchWorkerAnswer {
  /** In the order of the paths, without files that have no match. */
  readonly files: readonly FileMatches[];
  /** How many could not be read. */
  readonly unreadable: number;
}

const { query, root, wanted } = workerData as SearchWorkerData;
const search = new LineSearch(query);
const reader = new TreeFiles(root);

// A thread of its own, so that it can be ended in the middle of a match.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", (paths: readonly string[]) => parentPort?.postMessage(searchFiles(paths)));

function searchFiles(paths: readonly string[]): SearchWorkerAnswer {
  const files: FileMatches[] = [];
  let [units, unreadable] = [0, 0];
  for (const path of paths) {
    try {
      const found = searchFile(path, wanted.limit - units);
      if (found.count > 0) files.push(found);
      units += wanted.mode === "lines" ? found.count : Math.min(1, found.count);
    } catch {
      unreadable += 1;
    }
    if (units >= wanted.limit) break;
  }
  return { files, unreadable };
}

function searchFile(path: string, limit: number): FileMatches {
  const { mode, contextLines } = wanted;
  const first = firstLine(path, wanted);
  const lines: SearchMatch[] = [];
  let count = 0;
  const { fd, size } = reader.open(path);
  try {
    search.search(fd, size, ({ line, offset, column }: FoundPlace) => {
      if (line < first) return true;
      if (mode === "lines") lines.push(readMatch(fd, line, offset, column, contextLines));
      count += 1;
      return mode === "count" || (mode === "lines" && count < limit);
    });
  } finally {
    fs.closeSync(fd);
  }
  return { path, count, lines };
}

import fs from "node:fs";
import { TreeFiles, type TreeRoot } from "../list/tree-files.ts";
import { LineSearch, type FoundPlace, type LineQuery } from "./line-search.ts";
import { readMatch, type FileMatches, type SearchMatch } from "./search-match.ts";
import { firstLine, type SearchRequest } from "./search-request.ts";

/** Settings of a {@link FileSearch}. They can be sent to a thread. */
export interface FileSearchSettings {
  /** The text or regular expression to find. */
  readonly query: LineQuery;
  /** The worktree. */
  readonly root: TreeRoot;
  /** Which matches to report. */
  readonly wanted: Pick<SearchRequest, "mode" | "limit" | "after" | "contextLines">;
}

/** The matches in a list of files. */
export interface SearchedPaths {
  /** In the order of the paths, without files that have no match. */
  readonly files: readonly FileMatches[];
  /** How many could not be read. */
  readonly unreadable: number;
}

/** Searches the files of a worktree in JavaScript, in the thread it is created in. */
export class FileSearch {
  readonly #search: LineSearch;
  readonly #reader: TreeFiles;
  readonly #wanted: FileSearchSettings["wanted"];

  constructor({ query, root, wanted }: FileSearchSettings) {
    this.#search = new LineSearch(query);
    this.#reader = new TreeFiles(root);
    this.#wanted = wanted;
  }

  /** Searches files in their order, up to the limit. */
  searchPaths(paths: readonly string[]): SearchedPaths {
    const { mode, limit } = this.#wanted;
    const files: FileMatches[] = [];
    let [units, unreadable] = [0, 0];
    for (const path of paths) {
      try {
        const found = this.#searchFile(path, limit - units);
        if (found.count > 0) files.push(found);
        units += mode === "lines" ? found.count : Math.min(1, found.count);
      } catch {
        unreadable += 1;
      }
      if (units >= limit) break;
    }
    return { files, unreadable };
  }

  /** Closes the directories it holds. */
  close(): void {
    this.#reader.close();
  }

  #searchFile(path: string, limit: number): FileMatches {
    const { mode, contextLines } = this.#wanted;
    const first = firstLine(path, this.#wanted);
    const lines: SearchMatch[] = [];
    let count = 0;
    const { fd, size } = this.#reader.open(path);
    try {
      this.#search.search(fd, size, ({ line, offset, column }: FoundPlace) => {
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
}

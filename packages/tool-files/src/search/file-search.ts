import fs from "node:fs";
import { TreeFiles, type TreeRoot } from "../list/tree-files.ts";
import { omissionOf } from "./file-omission.ts";
import { LineSearch, type FoundPlace, type LineQuery } from "./line-search.ts";
import { SearchCapacity } from "./search-capacity.ts";
import { readMatch, type FileMatches, type SearchMatch } from "./search-match.ts";
import { SearchOmissions, type Omission } from "./search-omissions.ts";
import { firstLine, type SearchRequest } from "./search-request.ts";
import { decodedText, searchedText, type SearchedText } from "./searched-text.ts";

/** Settings of a {@link FileSearch}. They can be sent to a thread. */
export interface FileSearchSettings {
  /** The text or regular expression to find. */
  readonly query: LineQuery;
  /** The worktree. */
  readonly root: TreeRoot;
  /** Which matches to report. */
  readonly wanted: Pick<SearchRequest, "mode" | "limit" | "after" | "contextLines" | "encoding" | "forms"> & {
    readonly ignoreCase: boolean;
  };
}

/** The matches in a list of files. */
export interface SearchedPaths {
  /** In the order of the paths, without files that have no match. */
  readonly files: readonly FileMatches[];
  readonly omissions: readonly Omission[];
}

/** Files that a thread is to search. Their worktree has to be held until the answer has come. */
export interface SearchWork {
  readonly settings: FileSearchSettings;
  readonly paths: readonly string[];
}

/** Where files are read to, one after the other: new memory for each would take as long as to search it. */
const shared = Buffer.allocUnsafeSlow(256 * 1024);

/** Searches files in this thread. */
export async function searchFiles({ settings, paths }: SearchWork): Promise<SearchedPaths> {
  if (paths.length === 0) return { files: [], omissions: [] };
  const search = new FileSearch(settings);
  try {
    return await search.searchPaths(paths);
  } finally {
    search.close();
  }
}

/** Searches the files of a worktree in JavaScript, in the thread it is created in. */
class FileSearch {
  readonly #search: LineSearch;
  readonly #multiline: boolean;
  readonly #reader: TreeFiles;
  readonly #wanted: FileSearchSettings["wanted"];

  constructor({ query, root, wanted }: FileSearchSettings) {
    this.#search = new LineSearch(query);
    this.#multiline = query.multiline;
    this.#reader = new TreeFiles(root);
    this.#wanted = wanted;
  }

  /** Searches files in their order, up to the limit. */
  async searchPaths(paths: readonly string[]): Promise<SearchedPaths> {
    const files: FileMatches[] = [];
    const omissions = new SearchOmissions();
    const capacity = new SearchCapacity(this.#wanted.limit);
    for (const path of paths) {
      try {
        const found = await this.#searchPath(path, capacity, omissions);
        if (found.count > 0) files.push(found);
        if (found.count > 0 && this.#wanted.mode !== "lines") capacity.takeFile(path);
      } catch {
        omissions.add("unreadable", path);
      }
      if (capacity.isFull) break;
    }
    return { files, omissions: omissions.list };
  }

  /** Closes the directories it holds. */
  close(): void {
    this.#reader.close();
  }

  async #searchPath(path: string, capacity: SearchCapacity, omissions: SearchOmissions): Promise<FileMatches> {
    const { fd, size } = this.#reader.open(path);
    try {
      const text = searchedText(fd, size, this.#wanted.encoding, shared);
      const file = text.state === "stated" ? await decodedText(text.bytes, this.#wanted.encoding!) : text;
      if (this.#multiline && file.held === undefined) {
        omissions.add("too_large", path);
        return { path, count: 0, lines: [] };
      }
      const { matched, found } = this.#searchText(path, file, capacity, omissions);
      const reason = omissionOf(file, matched, this.#wanted.forms, this.#wanted.ignoreCase);
      if (reason !== undefined) omissions.add(reason, path);
      return found;
    } finally {
      fs.closeSync(fd);
    }
  }

  #searchText(path: string, file: SearchedText, capacity: SearchCapacity, omissions: SearchOmissions) {
    const { mode, contextLines } = this.#wanted;
    const first = firstLine(path, this.#wanted);
    const lines: SearchMatch[] = [];
    let [count, matched] = [0, false];
    if (file.state === "binary" && file.held === undefined) return { matched, found: { path, count, lines } };
    const cut = this.#search.search(file, (place: FoundPlace) => {
      matched = true;
      if (file.state === "binary") return false;
      if (place.line < first) return true;
      count += 1;
      if (mode !== "lines") return mode === "count";
      const match = readMatch(file, place, contextLines);
      lines.push(match);
      capacity.takeLine(path, match);
      return !capacity.isFull;
    });
    if (cut) omissions.add("long_line", path);
    return { matched, found: { path, count, lines } };
  }
}

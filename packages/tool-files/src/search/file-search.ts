import fs from "node:fs";
import { TreeFiles, type TreeRoot } from "../list/tree-files.ts";
import { type LineQuery, LineSearch } from "./line-search.ts";
import { type FileMatches, type Omission, readMatch, SearchFindings } from "./search-findings.ts";
import { firstLine, type SearchRequest } from "./search-request.ts";
import { decodedText, omissionOf, searchedText, type SearchedText } from "./searched-text.ts";

/** Settings of a {@link FileSearch}. They can be sent to a thread. */
export interface FileSearchSettings {
  readonly query: LineQuery;
  readonly root: TreeRoot;
  readonly wanted: Pick<SearchRequest, "mode" | "limit" | "after" | "contextLines" | "encoding" | "forms"> & {
    readonly ignoreCase: boolean;
  };
}

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
    const findings = new SearchFindings(this.#wanted);
    for (const path of paths) {
      try {
        await this.#searchPath(path, findings);
      } catch {
        findings.omissions.add("unreadable", path);
      }
      if (findings.isFull) break;
    }
    return { files: findings.files, omissions: findings.omissions.list };
  }

  close(): void {
    this.#reader.close();
  }

  async #searchPath(path: string, findings: SearchFindings): Promise<void> {
    const { omissions } = findings;
    const { fd, size } = this.#reader.open(path);
    try {
      const text = searchedText(fd, size, this.#wanted.encoding, shared);
      const file = text.state === "stated" ? await decodedText(text.bytes, this.#wanted.encoding!) : text;
      if (this.#multiline && file.held === undefined) return omissions.add("too_large", path);
      const matched = this.#searchText(path, file, findings);
      const reason = omissionOf(file, matched, this.#wanted.forms, this.#wanted.ignoreCase);
      if (reason !== undefined) omissions.add(reason, path);
    } finally {
      fs.closeSync(fd);
    }
  }

  /** Answers whether anything matched. */
  #searchText(path: string, file: SearchedText, findings: SearchFindings): boolean {
    const { mode, contextLines } = this.#wanted;
    const first = firstLine(path, this.#wanted);
    let matched = false;
    if (file.state === "binary" && file.held === undefined) return matched;
    const cut = this.#search.search(file, (place) => {
      matched = true;
      if (file.state === "binary") return false;
      if (place.line < first) return true;
      findings.add(path, mode === "lines" ? readMatch(file, place, contextLines) : undefined);
      return mode === "count" || (mode === "lines" && !findings.isFull);
    });
    if (cut) findings.omissions.add("long_line", path);
    return matched;
  }
}

import fs from "node:fs";
import { TreeFiles, type TreeRoot } from "../list/tree-files.ts";
import { type LineQuery, LineSearch } from "./line-search.ts";
import { type FileMatches, type Omission, readMatch, SearchFindings } from "./search-findings.ts";
import { firstLine, type SearchRequest } from "./search-request.ts";
import { decodedText, omissionOf, searchedText, type SearchedText } from "./searched-text.ts";

/** Settings of a search of files. They can be sent to a thread. */
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

/** Searches files of a worktree in their order, up to the limit, in JavaScript and in the thread that this is called in. */
export async function searchFiles({ settings, paths }: SearchWork): Promise<SearchedPaths> {
  if (paths.length === 0) return { files: [], omissions: [] };
  const { query, root, wanted } = settings;
  const findings = new SearchFindings(wanted);
  const search = new LineSearch(query);
  const reader = new TreeFiles(root);
  try {
    for (const path of paths) {
      try {
        const { fd, size } = reader.open(path);
        try {
          await searchFile({ path, fd, size }, search, settings, findings);
        } finally {
          fs.closeSync(fd);
        }
      } catch {
        findings.omissions.add("unreadable", path);
      }
      if (findings.isFull) break;
    }
  } finally {
    reader.close();
  }
  return { files: findings.files, omissions: findings.omissions.list };
}

async function searchFile(
  { path, fd, size }: { readonly path: string; readonly fd: number; readonly size: number },
  search: LineSearch,
  { query, wanted }: FileSearchSettings,
  findings: SearchFindings,
): Promise<void> {
  const { omissions } = findings;
  const text = searchedText(fd, size, wanted.encoding, shared);
  const file = text.state === "stated" ? await decodedText(text.bytes, wanted.encoding!) : text;
  if (query.multiline && file.held === undefined) return omissions.add("too_large", path);
  const matched = searchText(path, file, search, wanted, findings);
  const reason = omissionOf(file, matched, wanted.forms, wanted.ignoreCase);
  if (reason !== undefined) omissions.add(reason, path);
}

/** Answers whether anything matched. */
function searchText(
  path: string,
  file: SearchedText,
  search: LineSearch,
  wanted: FileSearchSettings["wanted"],
  findings: SearchFindings,
): boolean {
  const { mode, contextLines } = wanted;
  const first = firstLine(path, wanted);
  let matched = false;
  if (file.state === "binary" && file.held === undefined) return matched;
  const cut = search.search(file, (place) => {
    matched = true;
    if (file.state === "binary") return false;
    if (place.line < first) return true;
    findings.add(path, mode === "lines" ? readMatch(file, place, contextLines) : undefined);
    return mode === "count" || (mode === "lines" && !findings.isFull);
  });
  if (cut) findings.omissions.add("long_line", path);
  return matched;
}

import { listTree } from "../list/list-tree.ts";
import type { TreeFiles } from "../list/tree-files.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { MULTILINE_FILE_BYTES, type FileMatches } from "./search-match.ts";
import type { SearchRequest } from "./search-request.ts";

/** The files a search looks at, and counts of those it leaves out. */
export interface SearchedFiles {
  /** Paths from the worktree, in order. */
  readonly files: readonly string[];
  /** Whether there was any file to look at. */
  readonly anyFile: boolean;
  /** Entries that `.gitignore` left out. */
  readonly ignored: number;
  /** Files and directories that could not be read. */
  readonly unreadable: number;
  /** Files too large for a search over several lines. */
  readonly tooLarge: number;
  /** Whether there was too much to look at all of it. */
  readonly incomplete: boolean;
}

/** The result of a search: in place of the files it looked at, the matches in them, a little more than the limit. */
export interface SearchOutcome extends Omit<SearchedFiles, "files"> {
  /** In order of path. */
  readonly files: readonly FileMatches[];
}

/** The files a request is to search, as `list_files` lists them, without links. */
export async function listSearchedFiles(sandbox: Sandbox, request: SearchRequest): Promise<SearchedFiles> {
  const { scope, attempt, signal } = request;
  const tree = await listTree(sandbox, {
    ...scope,
    recursive: true,
    links: false,
    directories: false,
    attempt,
    signal,
  });
  return { ...tree, anyFile: tree.files.length > 0, tooLarge: 0 };
}

/** The one file a request names. `undefined`: it names a directory, or nothing. */
export function namedFile(sandbox: Sandbox, { scope }: SearchRequest): SearchedFiles | undefined {
  if (sandbox.kindOf(scope.path) !== "file") return undefined;
  const file = sandbox.openFile(scope.path);
  file.close();
  return { files: [file.path], anyFile: true, ignored: 0, unreadable: 0, tooLarge: 0, incomplete: false };
}

/** Those of the listed files that are not too large for a search over several lines; all of them for any other. */
export function withoutLarge(listed: SearchedFiles, request: SearchRequest, reader: TreeFiles): SearchedFiles {
  if (!request.query.multiline) return listed;
  const files = listed.files.filter((path) => sizeOf(reader, path) <= MULTILINE_FILE_BYTES);
  return { ...listed, files, tooLarge: listed.files.length - files.length };
}

/** The size of a listed file in bytes, 0 if it is gone. */
export function sizeOf(reader: TreeFiles, path: string): number {
  try {
    return reader.stat(path).size;
  } catch {
    return 0;
  }
}

import type { ForeignCall } from "./foreign-call.ts";

/** Other names of the path of a file. */
const FILE_PATHS = [
  "file_path",
  "file",
  "filename",
  "file_name",
  "target_file",
  "absolute_path",
  "relative_path",
  "uri",
];
/** Other names of the path of a directory. */
const DIRECTORY_PATHS = [
  "directory",
  "directory_path",
  "dir",
  "dir_path",
  "target_directory",
  "relative_workspace_path",
  "folder",
  "folder_path",
  "search_path",
  "search_directory",
];

/** Reads the path of a file, and the command of an editor that has several. */
export function readFilePath(call: ForeignCall, command: string): void {
  call.rename(FILE_PATHS, "path", withoutScheme, '"path", a path relative to the worktree');
  call.drop(
    ["command"],
    (value) => value === command,
    `this tool only does ${JSON.stringify(command)}, use another one`,
  );
}

/** Reads the path of a directory, or of a file. */
export function readDirectoryPath(call: ForeignCall): void {
  call.rename([...DIRECTORY_PATHS, ...FILE_PATHS], "path", withoutScheme, '"path", a path relative to the worktree');
}

function withoutScheme(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/^file:\/\/(?=\/)/, "") : undefined;
}

export { createFileTools, registerFileTools } from "./file-tools.ts";
export type { FileToolsOptions } from "./file-tools.ts";
export { readFileTool } from "./read-file.ts";
export { writeFileTool } from "./write-file.ts";
export { editFileTool } from "./edit-file.ts";
export { createFileTool } from "./create-file.ts";
export { listFilesTool } from "./list-files.ts";
export { createSearchFilesTool, searchFilesTool } from "./search-files.ts";
export type { SearchFilesOptions } from "./search-files.ts";

export { DEFAULT_PROTECTED_PATHS } from "./protected-paths.ts";
export type { PathRule, ProtectedPaths } from "./protected-paths.ts";
export type { WriteOptions } from "./write-gate.ts";
export { createFileHistory } from "./undo-history.ts";
export type { FileChange, FileHistory, FileHistoryOptions, UndoOptions } from "./undo-history.ts";
export { createUndoTool } from "./undo-tool.ts";
export type { PendingWrite, WriteJournal } from "./journal.ts";

export { openSandbox } from "./open-sandbox.ts";
export type { SandboxOptions } from "./open-sandbox.ts";
export type { MayWrite, SandboxDuties } from "./sandbox-duties.ts";
export { Sandbox } from "./sandbox.ts";
export type { ChangeFile, SandboxFile, SandboxStrength, Written } from "./sandbox.ts";
export type { SandboxDirectory } from "./held-directory.ts";

export {
  BinaryFileError,
  FileExistsError,
  FileNotFoundError,
  FilesError,
  SandboxError,
  WrongKindError,
} from "./files-error.ts";
export type { FilesErrorOptions } from "./files-error.ts";

export { createFileTools, fileTools, registerFileTools } from "./file-tools.ts";
export type { FileToolName, FileToolsOptions } from "./file-tools.ts";
export type { SearchFilesOptions } from "./search/search-files.ts";

export { DEFAULT_PROTECTED_PATHS } from "./sandbox/protected-paths.ts";
export type { PathRule, ProtectedPaths } from "./sandbox/protected-paths.ts";
export type { AfterWrite, AfterWriteChange, ChangedPath, WriteOptions } from "./sandbox/write-gate.ts";
export { createFileHistory } from "./history/undo-history.ts";
export type { FileHistory, FileHistoryOptions, UndoOptions } from "./history/undo-history.ts";
export type { FileChange } from "./history/undo-record.ts";
export { createUndoTool } from "./history/undo-tool.ts";

export { openFileSystem, SandboxFileSystem } from "./file-system/sandbox-file-system.ts";
export { MemoryFileSystem } from "./file-system/memory-file-system.ts";
export { mountFileSystems } from "./file-system/mounted-file-system.ts";
export type { Mount } from "./file-system/mounted-file-system.ts";
export type { Awaitable, FileEntry, FileSnapshot, FileStat, FileSystem, FileWrite } from "./file-system/file-system.ts";
export type { WorktreeContext } from "./sandbox/worktree-context.ts";
export { openSandbox } from "./sandbox/open-sandbox.ts";
export type { SandboxOptions } from "./sandbox/open-sandbox.ts";
export type {
  EntryKind,
  MayWrite,
  PendingWrite,
  SandboxHooks,
  SandboxStrength,
  WriteJournal,
} from "./sandbox/sandbox-hooks.ts";
export { Sandbox } from "./sandbox/sandbox.ts";
export type { ChangeFile, CheckChange, SandboxFile, WriteHow, Written } from "./sandbox/sandbox.ts";
export type { SandboxDirectory } from "./sandbox/sandbox-directory.ts";

export {
  BinaryFileError,
  FileChangedError,
  FileExistsError,
  FileNotFoundError,
  FilesError,
  SandboxError,
  WrongKindError,
} from "./error/files-error.ts";
export type { FilesErrorOptions } from "./error/files-error.ts";

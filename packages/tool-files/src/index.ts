export { createFileTools, fileTools, registerFileTools } from "./file-tools.ts";
export type { FileToolName, FileToolsOptions } from "./file-tools.ts";
export type { SearchFilesOptions } from "./search/search-files.ts";

export { DEFAULT_PROTECTED_PATHS } from "./sandbox/protected-paths.ts";
export type { PathRule, ProtectedPaths } from "./sandbox/protected-paths.ts";
export type { AfterWrite, AfterWriteChange, ChangedPath, WriteOptions } from "./sandbox/write-gate.ts";
export { createFileHistory } from "./history/undo-history.ts";
export type { FileChange } from "./history/file-change.ts";
export type { FileHistory, FileHistoryOptions, UndoOptions } from "./history/undo-history.ts";
export { createUndoTool } from "./history/undo-tool.ts";
export type { EntryKind, PendingWrite, WriteJournal } from "./sandbox/write-journal.ts";

export { openFileSystem, SandboxFileSystem } from "./file-system/sandbox-file-system.ts";
export { MemoryFileSystem } from "./file-system/memory-file-system.ts";
export { mountFileSystems } from "./file-system/mounted-file-system.ts";
export type { Mount } from "./file-system/mounted-file-system.ts";
export type { Awaitable, FileEntry, FileSnapshot, FileStat, FileSystem, FileWrite } from "./sandbox/file-system.ts";
export type { WorktreeContext } from "./sandbox/worktree-context.ts";
export { openSandbox } from "./sandbox/open-sandbox.ts";
export type { SandboxOptions } from "./sandbox/open-sandbox.ts";
export type { MayWrite, SandboxHooks, SandboxStrength } from "./sandbox/sandbox-hooks.ts";
export { Sandbox } from "./sandbox/sandbox.ts";
export type { SandboxFile } from "./sandbox/sandbox-file.ts";
export type { ChangeFile, CheckChange, WriteHow, Written } from "./sandbox/sandbox-writes.ts";
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

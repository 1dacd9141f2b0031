import { SandboxError } from "../error/files-error.ts";
import { isGitDirectory } from "./path-segments.ts";

/**
 * Throws if a path may not be written. `names` are its names from the worktree down, with links resolved. The sandbox calls
 * it before it makes or changes anything there. `attempt` is how the error begins, such as `Cannot write "a.txt"`.
 */
export type MayWrite = (names: readonly string[], attempt: string) => void;

/** Hooks of a sandbox: it calls them for every write. */
export interface SandboxHooks {
  /** Refuses writes. Default: those below `.git`. */
  readonly mayWrite?: MayWrite;
  /** Records every write before it takes place. Default: none. */
  readonly journal?: WriteJournal | undefined;
}

/** The default {@link SandboxHooks.mayWrite}: `.git` is protected from every write. */
export function refuseGit(names: readonly string[], attempt: string): void {
  if (!names.some(isGitDirectory)) return;
  throw new SandboxError(`${attempt}: .git is Git's own and not writable, use other files`, { code: "protected_path" });
}

/**
 * How sure it is that nothing outside the worktree is touched. `kernel`: also while another process exchanges
 * directories with links. `verified`: checked before and after, with a moment between the check and the act.
 */
export type SandboxStrength = "kernel" | "verified";

/** A change of the worktree before it takes place. */
export interface PendingWrite {
  /** Real path of the worktree. Never for a model. */
  readonly worktree: string;
  /** Path of the file from the worktree, links resolved. Of a move the new one. */
  readonly path: string;
  /** Whether there is a file to be replaced or removed. */
  readonly existed: boolean;
  /** Its bytes; `undefined` if there is none, or it is longer than {@link WriteJournal.maxFileBytes}. */
  readonly before: Uint8Array | undefined;
  /** The new bytes; those that move with a file. `undefined`: there are none, or they are too long to be read. */
  readonly after: Uint8Array | undefined;
  /** The kind of change. Default `write`. */
  readonly kind?: "write" | "remove" | "move" | undefined;
  /** Of a move: the former path. */
  readonly from?: string | undefined;
  /** Of a move or a removal: whether it is a file, a directory or a symbolic link. Default: a file. */
  readonly entry?: EntryKind | undefined;
  /** Whether the file may be run as a program: of a removed one, or of a written one if the call says so. */
  readonly executable?: boolean | undefined;
  /** Whether the file that is replaced may be run as a program. */
  readonly wasExecutable?: boolean | undefined;
  /** Of a removed file: its permissions. */
  readonly mode?: number | undefined;
  /** The same for all changes that are undone together. Default: undone by itself. */
  readonly group?: string | undefined;
}

/** The kind of a directory entry. */
export type EntryKind = "file" | "directory" | "link";

/** Records writes before they take place. */
export interface WriteJournal {
  /** Length in bytes up to which it gets the former bytes of a file. */
  readonly maxFileBytes: number;
  /** Records a write. An error it throws stops the write. The returned function removes the record of a write that failed. */
  begin(write: PendingWrite): () => void;
  /** Called with the path of a directory that was made on the way to a file. Default: nothing is done. */
  made?(path: string): void;
  /**
   * Former contents of a file that have this version, if they are kept: the base for merging an edit that was made for them.
   * `worktree` and `path` are those of a {@link PendingWrite}. Default: none are kept.
   */
  recall?(worktree: string, path: string, version: string): Uint8Array | undefined;
}

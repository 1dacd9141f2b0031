import { FileNotFoundError, FilesError } from "../error/files-error.ts";
import { quotedPath } from "../error/printable-path.ts";
import { attemptOn } from "../sandbox/path-segments.ts";
import type { MayWrite } from "../sandbox/sandbox-hooks.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { withSandbox } from "../sandbox/worktree-context.ts";
import type { PendingWrite, WriteJournal } from "../sandbox/write-journal.ts";
import { contentHash } from "../version/content-hash.ts";
import { contentVersion } from "../version/content-version.ts";
import { DirectoryJournal } from "./journal-directory.ts";
import { MemoryJournal } from "./journal-memory.ts";
import { recordOf, type JournalRecord, type JournalStore, type KeptRecord } from "./journal-record.ts";

const MAX_CHANGES = 200;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Former contents of a file that are looked at for a version. */
const MAX_RECALLED = 20;
/** Bytes of them that are hashed: a mebibyte takes a millisecond. */
const MAX_RECALLED_BYTES = 24 * 1024 * 1024;

/** Options of {@link createFileHistory}. */
export interface FileHistoryOptions {
  /**
   * Absolute path of a directory of its own, outside every worktree, to keep changes in: they can then be undone after the
   * process has ended. It is made with mode 0700; one that others may read is refused. Default: in memory.
   */
  readonly directory?: string;
  /** Changes kept, of all worktrees. The oldest go first. Default 200. */
  readonly maxChanges?: number;
  /** Bytes kept. Default 64 MiB. */
  readonly maxBytes?: number;
}

/** A change that was made through the tools. */
export interface FileChange {
  /** The file, relative to the worktree, links resolved. */
  readonly path: string;
  /** Whether there was no such file before. */
  readonly created: boolean;
  /** When, in milliseconds since 1970. */
  readonly at: number;
}

/** What {@link FileHistory.undo} may be told. */
export interface UndoOptions {
  /** Undo the last change of this file. Default: the last change in the worktree. */
  readonly path?: string | undefined;
  /** Asked before anything is written, as in a sandbox. Default: what was written before may be restored. */
  readonly mayWrite?: MayWrite;
}

/** What the files were before the tools changed them. One history may serve many worktrees. */
export interface FileHistory extends WriteJournal {
  /** The changes in a worktree that are kept, the newest first. */
  changes(worktreePath: string): readonly FileChange[];
  /**
   * Undoes the last change: gives a file the bytes it had, or removes one that was created (directories stay). Again
   * undoes the one before it. A change that is no longer there, its file being as it was before, is passed over.
   *
   * @throws {FilesError} `nothing_to_undo`; `changed_since` when the file is no longer as the tools left it;
   *   `not_kept` when it was too long to be kept. Nothing is changed then.
   */
  undo(worktreePath: string, options?: UndoOptions): FileChange;
}

/**
 * Makes a history of file changes, for the `history` option of the tools.
 *
 * @throws {FilesError} When `directory` cannot be used.
 *
 * @example
 * ```ts
 * const history = createFileHistory();
 * const registry = registerFileTools(createToolRegistry(), { history });
 * // later
 * history.undo("/home/agent/project"); // { path: "src/main.ts", created: false, at: … }
 * ```
 */
export function createFileHistory(options: FileHistoryOptions = {}): FileHistory {
  const { directory, maxChanges = MAX_CHANGES, maxBytes = MAX_BYTES } = options;
  for (const [name, value] of Object.entries({ maxChanges, maxBytes })) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new FilesError(
      `Cannot keep a history of file changes: ${name} is ${value}, allowed are whole numbers from 1`,
      {
        code: "invalid_history",
      },
    );
  }
  const bounds = { maxChanges, maxBytes };
  const store = directory === undefined ? new MemoryJournal(bounds) : new DirectoryJournal(directory, bounds);
  return new History(store, Math.min(maxBytes, MAX_FILE_BYTES));
}

class History implements FileHistory {
  readonly maxFileBytes: number;
  readonly #store: JournalStore;

  constructor(store: JournalStore, maxFileBytes: number) {
    this.#store = store;
    this.maxFileBytes = maxFileBytes;
  }

  begin(write: PendingWrite): () => void {
    const kept = this.#store.add(recordOf(write));
    return () => kept.drop();
  }

  recall(worktree: string, path: string, version: string): Uint8Array | undefined {
    let [looked, bytes] = [0, 0];
    for (const { record } of this.#store.newest()) {
      if (record.worktree !== worktree || record.path !== path || record.before === undefined) continue;
      bytes += record.before.length;
      if (++looked > MAX_RECALLED || bytes > MAX_RECALLED_BYTES) break;
      if (contentVersion(record.before) === version) return record.before;
    }
    return undefined;
  }

  changes(worktreePath: string): readonly FileChange[] {
    const worktree = withSandbox(worktreePath, (sandbox) => sandbox.resolvePath("."));
    return [...this.#store.newest()]
      .filter(({ record }) => record.worktree === worktree)
      .map(({ record }) => changeOf(record));
  }

  undo(worktreePath: string, { path, mayWrite = () => {} }: UndoOptions = {}): FileChange {
    const act = (sandbox: Sandbox) => {
      const worktree = sandbox.resolvePath(".");
      const wanted = path === undefined ? undefined : sandbox.resolveNames(path).join("/");
      for (const kept of this.#store.newest()) {
        if (kept.record.worktree !== worktree || (wanted !== undefined && kept.record.path !== wanted)) continue;
        if (undone(sandbox, kept)) return changeOf(kept.record);
      }
      const what = path === undefined ? "Cannot undo a change" : attemptOn("undo the last change of", path);
      throw new FilesError(`${what}: none is kept`, { code: "nothing_to_undo" });
    };
    return withSandbox(worktreePath, act, { mayWrite });
  }
}

/** Undoes one change, and drops it. False if it is no longer there. */
function undone(sandbox: Sandbox, kept: KeptRecord): boolean {
  const { path, existed, before, after, size } = kept.record;
  const attempt = `Cannot undo the change of ${quotedPath(path)}`;
  const since = (found: string, cause?: unknown) =>
    new FilesError(`${attempt}: ${found}, read it and edit it instead`, { code: "changed_since", cause });
  const gone = new FilesError("gone");
  const check = (bytes: Uint8Array, at: string, kind: "file" | "link" = "file"): void => {
    if (at !== path || kind === "link") throw since("its path leads elsewhere now");
    if (contentHash(bytes) === after) return;
    throw before !== undefined && Buffer.compare(bytes, before) === 0 ? gone : since("it was changed since");
  };
  try {
    const max = Math.max(size, before?.length ?? 0);
    if (!existed) sandbox.removeFile(path, max, check);
    else if (before === undefined)
      throw new FilesError(`${attempt}: the file was too long to be kept`, { code: "not_kept" });
    else sandbox.changeFile(path, max, (bytes, at) => (check(bytes, at), before));
  } catch (error) {
    const missing = error instanceof FileNotFoundError;
    if (error === gone || (missing && !existed)) {
      kept.drop();
      return false;
    }
    if (missing) throw since("it was removed since", error);
    if (error instanceof FilesError && error.code === "file_too_large") throw since("it was changed since", error);
    throw error;
  }
  kept.drop();
  return true;
}

function changeOf({ path, existed, at }: JournalRecord): FileChange {
  return { path, created: !existed, at };
}

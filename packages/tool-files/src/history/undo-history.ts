import { checkOptions } from "@dispatch/tools-interface/internal";
import { FilesError } from "../error/files-error.ts";
import { attemptOn } from "../sandbox/path-segments.ts";
import type { MayWrite, PendingWrite, WriteJournal } from "../sandbox/sandbox-hooks.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { journalKey, withSandbox, type WorktreeContext } from "../sandbox/worktree-context.ts";
import { TimeSlice } from "../thread/time-slice.ts";
import { contentVersion } from "../version/content-version.ts";
import { DirectoryJournal } from "./journal-directory.ts";
import { type JournalStore, type KeptRecord, MemoryJournal, recordOf } from "./journal-record.ts";
import { changeOf, placeInTree, undoneInTree, undoneTogether, type FileChange } from "./undo-record.ts";

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

/** Options of {@link FileHistory.undo}. */
export interface UndoOptions {
  /** Undo the last change of this file. Default: the last change in the worktree. */
  readonly path?: string | undefined;
  /** Called before anything is written, as in a sandbox. Default: files written before may be restored. */
  readonly mayWrite?: MayWrite;
}

/** The files as they were before the tools changed them. One history may serve many worktrees. */
export interface FileHistory extends WriteJournal {
  /** The changes in a worktree that are kept, the newest first. */
  changes(worktreePath: string): readonly FileChange[];
  /**
   * Undoes the last change: gives a file the bytes it had, removes one that was created (directories stay), makes one again
   * that was removed, moves one back. Changes of several files by one call are undone together, or not at all. Again undoes
   * the one before it. A change that is no longer there, its file being as it was before, is passed over. Nothing else of the
   * process goes on meanwhile: for a change of many files use {@link FileHistory.undoIn}.
   *
   * @throws {FilesError} `nothing_to_undo`; `changed_since` when the file is no longer as the tools left it;
   *   `not_kept` when it was too long to be kept. Nothing is changed then.
   */
  undo(worktreePath: string, options?: UndoOptions): FileChange;
  /** {@link FileHistory.changes} of a worktree on this disk or in another file system, as long as this process has it open. */
  changesIn(context: WorktreeContext): readonly FileChange[];
  /**
   * {@link FileHistory.undo} in a worktree on this disk or in another file system. Rejects as that throws. Other work of the
   * process goes on between the files of a change; when one can then not be undone, the others are made as they were, but for
   * those changed meanwhile.
   */
  undoIn(context: WorktreeContext, options?: UndoOptions): Promise<FileChange>;
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
  checkOptions("keep a history of file changes", options, { directory: true, maxChanges: true, maxBytes: true });
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
  #undoing: Promise<unknown> = Promise.resolve();

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
    return this.#keptIn(worktree).map(({ record }) => changeOf(record));
  }

  changesIn(context: WorktreeContext): readonly FileChange[] {
    if (context.fileSystem === undefined) return this.changes(context.worktreePath);
    return this.#keptIn(journalKey(context)).map(({ record }) => changeOf(record));
  }

  async undoIn(context: WorktreeContext, options: UndoOptions = {}): Promise<FileChange> {
    // One at a time: between two files of one undo another would find a half of it.
    const undone = this.#undoing.then(() => this.#undoneIn(context, options));
    this.#undoing = undone.catch(() => {});
    return undone;
  }

  async #undoneIn(context: WorktreeContext, options: UndoOptions): Promise<FileChange> {
    const { path, mayWrite = () => {} } = options;
    if (context.fileSystem === undefined)
      return withSandbox(context.worktreePath, (sandbox) => sliceBySlice(this.#undoSteps(sandbox, path)), { mayWrite });
    const wanted = path === undefined ? undefined : await placeInTree(context, path);
    for (const together of groups(this.#keptIn(journalKey(context)), wanted)) {
      const [first, ...others] = await undoneInTree(context, together, options.mayWrite);
      if (first !== undefined) return { ...first, ...(others.length > 0 && { also: others }) };
    }
    throw nothingKept(path);
  }

  #keptIn(worktree: string): readonly KeptRecord[] {
    return [...this.#store.newest()].filter(({ record }) => record.worktree === worktree);
  }

  undo(worktreePath: string, { path, mayWrite = () => {} }: UndoOptions = {}): FileChange {
    return withSandbox(worktreePath, (sandbox) => atOnce(this.#undoSteps(sandbox, path)), { mayWrite });
  }

  /** Yields where other work may go on. */
  *#undoSteps(sandbox: Sandbox, path: string | undefined): Generator<void, FileChange, void> {
    const worktree = sandbox.resolvePath(".");
    const wanted = path === undefined ? undefined : sandbox.resolveNames(path).join("/");
    for (const together of groups(this.#keptIn(worktree), wanted)) {
      const [first, ...others] = yield* undoneTogether(sandbox, together);
      if (first !== undefined) return { ...first, ...(others.length > 0 && { also: others }) };
    }
    throw nothingKept(path);
  }
}

function atOnce<T>(steps: Generator<void, T, void>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

async function sliceBySlice<T>(steps: Generator<void, T, void>): Promise<T> {
  const slice = new TimeSlice();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await slice.pause();
  }
}

/** Changes that are undone together, the newest first, of all files or of one. */
function groups(kept: readonly KeptRecord[], wanted: string | undefined): readonly (readonly KeptRecord[])[] {
  return kept
    .filter(({ record: { path, from } }) => wanted === undefined || path === wanted || from === wanted)
    .map((one) =>
      one.record.group === undefined ? [one] : kept.filter(({ record }) => record.group === one.record.group),
    );
}

function nothingKept(path: string | undefined): FilesError {
  const what = path === undefined ? "Cannot undo a change" : attemptOn("undo the last change of", path);
  return new FilesError(`${what}: none is kept`, { code: "nothing_to_undo" });
}

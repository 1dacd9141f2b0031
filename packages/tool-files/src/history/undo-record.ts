import { FileExistsError, FileNotFoundError, FilesError, partlyDone } from "../error/files-error.ts";
import { quotedPath } from "../error/printable-path.ts";
import { foreignError } from "../file-system/staged-worktree.ts";
import { changeInTree, type Reach } from "../file-system/work-in-tree.ts";
import { treeNames } from "../sandbox/path-segments.ts";
import type { EntryKind, MayWrite } from "../sandbox/sandbox-hooks.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { WorktreeContext } from "../sandbox/worktree-context.ts";
import { contentHash } from "../version/content-version.ts";
import type { JournalRecord, KeptRecord } from "./journal-record.ts";

/** A change that was made through the tools. */
export interface FileChange {
  /** The file, relative to the worktree, links resolved. */
  readonly path: string;
  /** Whether there was no such file before. */
  readonly created: boolean;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** Whether the file, directory or link was removed. Default false. */
  readonly removed?: true;
  /** The former path of a file or directory that was moved. */
  readonly from?: string;
  /** The same for all changes of one call that changed several files. */
  readonly group?: string;
  /** Further changes of the same call, which are undone with this one; only in the result of `FileHistory.undo`. */
  readonly also?: readonly FileChange[];
}

export function changeOf({ path, existed, at, kind, from, group }: JournalRecord): FileChange {
  return {
    path,
    created: !existed,
    at,
    ...(kind === "remove" && { removed: true as const }),
    ...(from !== undefined && { from }),
    ...(group !== undefined && { group }),
  };
}

/**
 * Undoes changes, the newest first, and drops their records: all of them or, where one cannot be undone, none. Yields between
 * two files, where other work may go on. Returns those that were undone, without any that is no longer there.
 *
 * @throws {FilesError} Codes `changed_since` and `not_kept`.
 */
export function* undoneTogether(
  sandbox: Sandbox,
  together: readonly KeptRecord[],
): Generator<void, readonly FileChange[], void> {
  const redo: (() => void)[] = [];
  const done: FileChange[] = [];
  try {
    for (const { record } of together) {
      const again = undone(sandbox, record);
      if (again === undefined) continue;
      redo.push(again);
      done.push(changeOf(record));
      yield;
    }
  } catch (error) {
    yield* redone(redo, error);
    throw error;
  }
  for (const kept of together) kept.drop();
  return done;
}

/** Makes changes once more that were undone, but for those that something else has changed meanwhile: then it says so. */
function* redone(redo: readonly (() => void)[], cause: unknown): Generator<void, void, void> {
  let stays = false;
  for (const again of redo.toReversed()) {
    try {
      again();
    } catch {
      stays = true;
    }
    yield;
  }
  if (stays) throw partlyDone(cause, "undone");
}

/** The change is no longer there. */
const GONE = new FilesError("gone");

/**
 * Undoes one change. Returns a function that makes it again; `undefined` if the change was no longer there.
 */
export function undone(sandbox: Sandbox, record: JournalRecord): (() => void) | undefined {
  const { path, kind = "write" } = record;
  const attempt = `Cannot undo the change of ${quotedPath(path)}`;
  const since = (found: string, cause?: unknown) =>
    new FilesError(`${attempt}: ${found}, read it and edit it instead`, { code: "changed_since", cause });
  try {
    if (kind === "remove") return undoneRemoval(sandbox, record, attempt);
    return kind === "move" ? undoneMove(sandbox, record, since) : undoneWrite(sandbox, record, { attempt, since });
  } catch (error) {
    if (error === GONE) return undefined;
    if (error instanceof FileNotFoundError) throw since("it was removed since", error);
    if (error instanceof FileExistsError) throw since("there is something of that name again", error);
    if (error instanceof FilesError && error.code === "file_too_large") throw since("it was changed since", error);
    throw error;
  }
}

type Since = (found: string, cause?: unknown) => FilesError;

function undoneWrite(
  sandbox: Sandbox,
  record: JournalRecord,
  { attempt, since }: { readonly attempt: string; readonly since: Since },
): () => void {
  const { path, existed, before, after, size, executable, wasExecutable } = record;
  const check = (bytes: Uint8Array, at: string, kind: EntryKind = "file"): void => {
    if (at !== path || kind !== "file") throw since("its path leads elsewhere now");
    if (contentHash(bytes) === after) return;
    throw before !== undefined && Buffer.compare(bytes, before) === 0 ? GONE : since("it was changed since");
  };
  const max = Math.max(size, before?.length ?? 0);
  let now: Buffer | undefined;
  if (!existed) {
    try {
      sandbox.removePath(path, (bytes = Buffer.alloc(0), at, kind) => {
        check(bytes, at, kind);
        now = bytes;
      });
    } catch (error) {
      throw error instanceof FileNotFoundError ? GONE : error;
    }
    return () => sandbox.createFile(path, now!, { executable });
  }
  if (before === undefined) throw notKept(attempt);
  const mode = executable === undefined ? undefined : wasExecutable;
  const back = (bytes: Buffer, at: string) => {
    check(bytes, at);
    now = bytes;
    return before;
  };
  sandbox.changeFile(path, max, back, { executable: mode });
  const again = (bytes: Buffer) => {
    if (!bytes.equals(before)) throw since("it was changed since");
    return now!;
  };
  return () => {
    sandbox.changeFile(path, max, again, { executable: mode === undefined ? undefined : executable });
  };
}

function undoneRemoval(sandbox: Sandbox, record: JournalRecord, attempt: string): () => void {
  const { path, before, entry = "file", executable, mode } = record;
  if (entry === "directory") {
    sandbox.makeDirectory(path);
  } else {
    if (entry === "link" || before === undefined) throw notKept(attempt);
    sandbox.createFile(path, before, { mode, executable: executable === true ? true : undefined });
  }
  return () => {
    sandbox.removePath(path, (bytes, _path, kind) => {
      if (kind !== entry || (kind === "file" && bytes?.equals(before!) !== true)) throw GONE;
    });
  };
}

function undoneMove(sandbox: Sandbox, { path, from = "", after, entry = "file" }: JournalRecord, since: Since) {
  sandbox.movePath(path, from, (bytes, at, kind) => {
    if (at !== path || kind !== entry) throw since("its path leads elsewhere now");
    if (after !== null && (bytes === undefined || contentHash(bytes) !== after)) throw since("it was changed since");
  });
  return () => sandbox.movePath(from, path);
}

function notKept(attempt: string): FilesError {
  return new FilesError(`${attempt}: the previous contents were not kept, they are too long or a symbolic link`, {
    code: "not_kept",
  });
}

/** The path of a place in another file system, links resolved. */
export async function placeInTree({ fileSystem, worktreePath }: WorktreeContext, path: string): Promise<string> {
  const verb = "undo the last change of";
  const names = treeNames(path, worktreePath, verb).join("/");
  try {
    return (await fileSystem?.stat(names))?.path ?? names;
  } catch (error) {
    throw foreignError(error, verb, path);
  }
}

/**
 * Undoes changes in another file system, the newest first, and drops their records: all of them or, where one cannot be undone,
 * none. They are undone in a copy by the rules for this disk, and written back if the files are as they were copied.
 */
export async function undoneInTree(
  context: WorktreeContext,
  together: readonly KeptRecord[],
  mayWrite: MayWrite = () => {},
): Promise<readonly FileChange[]> {
  const act = (sandbox: Sandbox) =>
    together.filter(({ record }) => undone(sandbox, record) !== undefined).map(({ record }) => record);
  const gate = { journal: undefined, mayWrite: () => mayWrite };
  const done = await changeInTree(gate, {}, context, together.flatMap(reachesOf), act);
  for (const { kind, entry, path } of done)
    if (kind === "remove" && entry === "directory") await context.fileSystem?.makeDirectory(path);
  for (const kept of together) kept.drop();
  return done.map(changeOf);
}

function reachesOf({ record: { path, from, kind, entry } }: KeptRecord): readonly Reach[] {
  const verb = "undo a change of";
  if (kind !== "move" || from === undefined) return [{ verb, path }];
  const tree = { contents: () => entry !== "directory", recursive: true, leftOut: undefined };
  return [entry === "directory" ? { verb, path, tree } : { verb, path }, { verb, path: from }];
}

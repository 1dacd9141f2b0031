import { FileExistsError, FileNotFoundError, FilesError } from "../error/files-error.ts";
import { quotedPath } from "../error/printable-path.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { EntryKind } from "../sandbox/write-journal.ts";
import { contentHash } from "../version/content-hash.ts";
import type { FileChange } from "./file-change.ts";
import type { JournalRecord, KeptRecord } from "./journal-record.ts";

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
  let stay = false;
  for (const again of redo.toReversed()) {
    try {
      again();
    } catch {
      stay = true;
    }
    yield;
  }
  if (!stay) return;
  const why = cause instanceof Error ? cause.message : "it failed";
  throw new FilesError(`${why}; some files stay undone, because they were changed by something else meanwhile`, {
    code: cause instanceof FilesError ? cause.code : "io_error",
    cause,
  });
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
    return () => sandbox.createFile(path, now!);
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
  const { path, before, entry = "file", executable } = record;
  if (entry === "directory") {
    sandbox.makeDirectory(path);
  } else {
    if (entry === "link" || before === undefined) throw notKept(attempt);
    sandbox.createFile(path, before, executable === true ? { executable } : {});
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

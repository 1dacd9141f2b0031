import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { ToolRun } from "@dispatch/tools-interface";
import { FileChangedError, FilesError, partlyDone, SandboxError } from "../error/files-error.ts";
import { attemptOn, treeNames } from "../sandbox/path-segments.ts";
import type { PendingWrite, WriteJournal } from "../sandbox/sandbox-hooks.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { journalKey, withSandbox, type WorktreeContext } from "../sandbox/worktree-context.ts";
import type { WriteGate } from "../sandbox/write-gate.ts";
import { MAX_EDIT_BYTES } from "../version/content-version.ts";
import type { FileSystem } from "./file-system.ts";
import { foreignError, StagedWorktree, type TreeCopy } from "./staged-worktree.ts";
import { withSuggestions } from "./suggest-path.ts";

/** How often a change is made anew because a file was changed meanwhile. */
const MAX_ATTEMPTS = 8;

/** The path a call reads, and how an error about it begins, such as `read`. */
export interface Reach {
  readonly verb: string;
  readonly path: string;
  /** For a call on a directory: the part of it to copy. Default: the path is a file. */
  readonly tree?: TreeCopy;
}

/** Runs `act` in the sandbox of a call's worktree, wherever that is. */
export async function readInTree<T>(
  context: WorktreeContext,
  reach: Reach,
  act: (sandbox: Sandbox) => T,
): Promise<Awaited<T>> {
  const { fileSystem, worktreePath } = context;
  return fileSystem === undefined ? await withSandbox(worktreePath, act) : staged(fileSystem, context, [reach], act);
}

async function staged<T>(
  fileSystem: FileSystem,
  { worktreePath }: WorktreeContext,
  reaches: readonly Reach[],
  act: (sandbox: Sandbox, worktree: StagedWorktree) => T,
  open: (worktree: StagedWorktree) => Sandbox = (worktree) => worktree.open(),
): Promise<Awaited<T>> {
  const worktree = new StagedWorktree(fileSystem, worktreePath);
  try {
    for (const { verb, path, tree } of reaches) {
      const attempt = attemptOn(verb, path);
      try {
        const place = await worktree.copy(
          treeNames(path, worktreePath, verb),
          attempt,
          tree === undefined || tree.contents(path),
        );
        const stat = tree && (await fileSystem.stat(place));
        if (stat?.kind === "directory") await worktree.copyTree(place, tree!, attempt);
      } catch (error) {
        throw foreignError(error, verb, path);
      }
    }
    const sandbox = open(worktree);
    try {
      return await act(sandbox, worktree);
    } finally {
      sandbox.close();
    }
  } finally {
    await worktree.close();
  }
}

/**
 * The path of every tool that writes: {@link changeInTree}, again for up to 10 s while other processes write the same file. Where there is no file at the first path, the error names others that may be meant.
 */
export function changeFiles<T>(
  gate: WriteGate,
  params: object,
  { context, signal }: Pick<ToolRun<WorktreeContext>, "context" | "signal">,
  reaches: readonly [Reach, ...Reach[]],
  act: (sandbox: Sandbox) => T,
): Promise<Awaited<T>> {
  return withSuggestions(context, reaches[0].path, () =>
    retryWhileBusy(() => changeInTree(gate, params, context, reaches, act), signal),
  );
}

/** The write rules that {@link changeInTree} needs, and the journal it reports to. */
type TreeGate = Pick<WriteGate, "mayWrite" | "journal">;

/**
 * Runs `act`, which writes to the files of `reaches`, in the sandbox of a call's worktree, wherever that is. In another file
 * system all its changes are made in a copy first and then written back, each only if the file is as it was copied;
 * else `act` runs again on a new copy.
 */
export async function changeInTree<T>(
  gate: TreeGate,
  params: object,
  context: WorktreeContext,
  reaches: readonly Reach[],
  act: (sandbox: Sandbox) => T,
): Promise<Awaited<T>> {
  const { fileSystem, worktreePath } = context;
  if (fileSystem === undefined)
    return await withSandbox(worktreePath, act, { mayWrite: gate.mayWrite(params), journal: gate.journal });
  for (let attempts = 1; ; attempts += 1) {
    const made: PendingWrite[] = [];
    const hooks = { mayWrite: gate.mayWrite(params), journal: noting(made) };
    try {
      return await staged(
        fileSystem,
        context,
        reaches,
        async (sandbox, worktree) => {
          const result = await act(sandbox);
          await writeBack(fileSystem, worktree, made, journalOf(gate, context, made.length));
          return result;
        },
        (worktree) => worktree.open(hooks),
      );
    } catch (error) {
      if (!(error instanceof FileChangedError)) throw error;
      if (attempts === MAX_ATTEMPTS) throw new SandboxError(error.message, { code: "unstable_path", cause: error });
    }
  }
}

function noting(made: PendingWrite[]): WriteJournal {
  return {
    maxFileBytes: MAX_EDIT_BYTES,
    begin(write) {
      made.push(write);
      return () => {
        made.splice(made.indexOf(write), 1);
      };
    },
  };
}

/** Records a write to another file system in the host's journal; the returned function removes the record. */
function journalOf({ journal }: TreeGate, context: WorktreeContext, count: number): WriteJournal["begin"] {
  const worktree = journalKey(context);
  const group = count > 1 ? randomUUID() : undefined;
  return (write) => {
    const before = (write.before?.length ?? 0) > (journal?.maxFileBytes ?? 0) ? undefined : write.before;
    return journal?.begin({ ...write, before, worktree, group }) ?? (() => {});
  };
}

async function writeBack(
  fileSystem: FileSystem,
  worktree: StagedWorktree,
  made: readonly PendingWrite[],
  begin: WriteJournal["begin"],
): Promise<void> {
  /** Of the files that this call has changed: `undefined` where another writer has changed one since. */
  const revisions = new Map<string, string | null | undefined>();
  const expected = (path: string): string | null => {
    const revision = revisions.has(path) ? revisions.get(path) : worktree.revisionOf(path);
    if (revision !== undefined) return revision;
    throw new FileChangedError(`${attemptOn("write", path)}: it was changed meanwhile, try again`);
  };
  const revisionOf = async (path: string, bytes: Uint8Array | undefined) => {
    const now = await fileSystem.readFile(path);
    return bytes !== undefined && Buffer.compare(now.bytes, bytes) === 0 ? now.revision : undefined;
  };
  const undo: (() => Promise<void>)[] = [];
  for (const write of made) {
    const { path, kind = "write", from = "", entry = "file", before, after, executable } = write;
    let forget: (() => void) | undefined;
    try {
      const kept = (forget = begin(write));
      if (kind === "move") await fileSystem.rename(from, path);
      else if (kind === "remove")
        await fileSystem.remove(path, entry === "file" ? { expected: expected(path)! } : undefined);
      else await fileSystem.writeFile(path, after!, { expected: expected(path), executable });
      forget = undefined;
      undo.push(async () => {
        if (kind === "move") await fileSystem.rename(path, from);
        else if (kind === "remove" && entry === "directory") await fileSystem.makeDirectory(path);
        else if (kind === "write" && before === undefined) await fileSystem.remove(path, { expected: expected(path)! });
        else
          await fileSystem.writeFile(path, before!, {
            expected: kind === "remove" ? null : expected(path),
            executable,
          });
        kept();
      });
      if (made.length === 1) continue;
      if (kind !== "write") revisions.set(kind === "move" ? from : path, null);
      if (kind !== "remove" && entry === "file") revisions.set(path, await revisionOf(path, after));
    } catch (error) {
      forget?.();
      const failure = foreignError(error, kind === "write" ? "write" : kind === "move" ? "move" : "delete", path);
      // All changes of a call, or none.
      let stays = false;
      for (const back of undo.toReversed()) await back().catch(() => (stays = true));
      throw stays ? partlyDone(failure, "changed") : failure;
    }
  }
}

/** Milliseconds for which a write is retried while other processes write the same file. */
const BUSY_TIMEOUT_MS = 10_000;
/** Longest wait between two attempts, in milliseconds. */
const MAX_PAUSE_MS = 20;

/**
 * Runs a write, and retries it after a short random wait while other processes write the same file (`unstable_path`), for up
 * to 10 s. `signal` ends the retries.
 */
export async function retryWhileBusy<T>(act: () => T, signal: AbortSignal): Promise<Awaited<T>> {
  let deadline: number | undefined;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof FilesError) || error.code !== "unstable_path" || signal.aborted) throw error;
      deadline ??= performance.now() + BUSY_TIMEOUT_MS;
      if (performance.now() > deadline) throw error;
      await setTimeout(1 + Math.random() * MAX_PAUSE_MS);
    }
  }
}

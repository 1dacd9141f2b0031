import { randomUUID } from "node:crypto";
import { partlyDone } from "../error/files-error.ts";
import type { WriteJournal } from "../sandbox/sandbox-hooks.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { withSandbox } from "../sandbox/worktree-context.ts";
import type { WriteGate } from "../sandbox/write-gate.ts";
import { TimeSlice } from "../thread/time-slice.ts";
import { MAX_EDIT_BYTES } from "../version/content-version.ts";
import { type JournalRecord, recordOf } from "./journal-record.ts";
import { undone } from "./undo-record.ts";

/**
 * Runs `act` in the sandbox of a call's worktree: all of its changes or none. When it rejects, the changes it made are undone,
 * the last first, with the directories it made. The history undoes them together. A process that is killed meanwhile may leave a part of them.
 */
export async function inTransaction<T>(
  gate: WriteGate,
  params: object,
  worktreePath: string,
  act: (sandbox: Sandbox) => Promise<T>,
): Promise<T> {
  const { journal: outer } = gate;
  const group = randomUUID();
  const made = new Map<JournalRecord, () => void>();
  const directories: string[] = [];
  let undoing = false;
  const journal: WriteJournal = {
    maxFileBytes: MAX_EDIT_BYTES,
    begin(write) {
      if (undoing) return () => {};
      const { before } = write;
      const kept = before !== undefined && before.length <= (outer?.maxFileBytes ?? 0) ? before : undefined;
      const forget = outer?.begin({ ...write, before: kept, group }) ?? (() => {});
      const record = recordOf(write);
      made.set(record, forget);
      return () => {
        made.delete(record);
        forget();
      };
    },
    made: (path) => void (undoing || directories.push(path)),
  };
  const undo = async (sandbox: Sandbox, cause: unknown) => {
    undoing = true;
    const slice = new TimeSlice();
    let stays = false;
    for (const [record, forget] of [...made].toReversed()) {
      try {
        undone(sandbox, record);
        forget();
      } catch {
        stays = true;
      }
      await slice.pause();
    }
    for (const path of directories.toReversed()) {
      try {
        sandbox.removePath(path, (_bytes, at, kind) => {
          if (at !== path || kind !== "directory") throw cause;
        });
      } catch {
        // Something else is in it, or in its place, by now.
      }
      await slice.pause();
    }
    if (stays) throw partlyDone(cause, "changed");
  };
  const run = async (sandbox: Sandbox) => {
    try {
      return await act(sandbox);
    } catch (error) {
      await undo(sandbox, error);
      throw error;
    }
  };
  return withSandbox(worktreePath, run, { mayWrite: gate.mayWrite(params), journal });
}

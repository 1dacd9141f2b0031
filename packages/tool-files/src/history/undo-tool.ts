import { defineTool, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { printablePath } from "../error/printable-path.ts";
import { worktreeContext } from "../sandbox/worktree-context.ts";
import { WriteGate, type WriteOptions } from "../sandbox/write-gate.ts";
import type { FileHistory } from "./undo-history.ts";

const parameters = z.object({
  path: z.string().optional().describe("File whose last change to undo. Default: the last change of any file"),
});

const output = z.object({
  path: z.string().describe("The file, relative to the worktree"),
  removed: z.boolean().describe("Whether it was removed, since the change had created it"),
});

/**
 * Makes `undo_file_change`, for hosts that let a model take back what it wrote. Not among {@link createFileTools}; the
 * history is the one that was given to them, and so are the rules.
 */
export function createUndoTool(history: FileHistory, { protectedPaths }: Pick<WriteOptions, "protectedPaths"> = {}) {
  const gate = new WriteGate(protectedPaths === undefined ? {} : { protectedPaths });
  return defineTool({
    name: "undo_file_change",
    description:
      "Undoes the last change that write_file, edit_file or create_file made, of one file or of any; called again, the change before it. Refused when the file was changed by something else since.",
    parameters,
    output,
    context: worktreeContext,
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    needsApproval(params, context) {
      const path = params.path ?? lastChange(history, context.worktreePath);
      return path !== undefined && gate.needsApproval(params, context, path);
    },
    execute(params, run) {
      const { path, created } = history.undo(run.context.worktreePath, {
        path: params.path,
        mayWrite: gate.mayWrite(params),
      });
      return success(`${created ? "Removed" : "Restored"} ${printablePath(path)}`, {
        data: { path, removed: created },
      });
    },
  });
}

function lastChange(history: FileHistory, worktreePath: string): string | undefined {
  try {
    return history.changes(worktreePath)[0]?.path;
  } catch {
    return undefined;
  }
}

import { defineTool, success } from "@dispatch/tools-interface";
import { checkOptions } from "@dispatch/tools-interface/internal";
import { z } from "zod";
import { printablePath } from "../error/printable-path.ts";
import { worktreeContext, type WorktreeContext } from "../sandbox/worktree-context.ts";
import { WriteGate, type WriteOptions } from "../sandbox/write-gate.ts";
import type { FileHistory } from "./undo-history.ts";
import type { FileChange } from "./undo-record.ts";

const parameters = z.object({
  path: z.string().optional().describe("File whose last change to undo. Default: the last change of any file"),
});

const output = z.object({
  path: z.string().describe("The file, relative to the worktree"),
  removed: z.boolean().describe("Whether it was removed, since the change had created it"),
  also: z.array(z.string()).optional().describe("Further files that the same call had changed, undone with it"),
});

/**
 * Makes `undo_file_change`, for hosts that let a model take back its changes. Not among {@link createFileTools}; pass
 * the same history and the same rules to both.
 *
 * @example
 * ```ts
 * const history = createFileHistory();
 * const registry = registerFileTools(createToolRegistry(), { history }).register(createUndoTool(history));
 * ```
 */
export function createUndoTool(history: FileHistory, options: Pick<WriteOptions, "protectedPaths"> = {}) {
  checkOptions("create an undo tool", options, { protectedPaths: true });
  const { protectedPaths } = options;
  const gate = new WriteGate(protectedPaths === undefined ? {} : { protectedPaths });
  return defineTool({
    name: "undo_file_change",
    description:
      "Undoes the last change that a file tool made, of one file or of any; called again, the change before it. What one call changed in several files is undone together. Refused when a file was changed by something else since.",
    parameters,
    output,
    context: worktreeContext,
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    needsApproval: (params, context) => gate.needsApproval(params, context, undonePaths(history, context, params.path)),
    async execute(params, run) {
      const mayWrite = gate.mayWrite(params);
      const undone = await history.undoIn(run.context, { path: params.path, mayWrite });
      const { path, created, also = [] } = undone;
      return success([undone, ...also].map(describeUndone).join("\n"), {
        data: { path, removed: created, ...(also.length > 0 && { also: also.map((change) => change.path) }) },
      });
    },
  });
}

function describeUndone({ path, created, from }: FileChange): string {
  if (from !== undefined) return `Moved ${printablePath(path)} back to ${printablePath(from)}`;
  return `${created ? "Removed" : "Restored"} ${printablePath(path)}`;
}

function undonePaths(history: FileHistory, context: WorktreeContext, path: string | undefined): readonly string[] {
  const changes = history.changesIn(context);
  const last = changes.find((change) => path === undefined || change.path === path || change.from === path);
  if (last === undefined) return path === undefined ? [] : [path];
  const together = changes.filter(({ group }) => group !== undefined && group === last.group);
  return [last, ...together].flatMap((change) => [change.path, ...(change.from === undefined ? [] : [change.from])]);
}

import { defineTool, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { translateAliases } from "../aliases/aliases.ts";
import { printablePath } from "../error/printable-path.ts";
import { withNotes } from "../file-system/after-write.ts";
import { changeFiles } from "../file-system/work-in-tree.ts";
import { attemptOn } from "../sandbox/path-segments.ts";
import { worktreeContext, worktreeKey } from "../sandbox/worktree-context.ts";
import type { WriteGate } from "../sandbox/write-gate.ts";
import { rehearse, stopHere, versionCheck } from "./change-check.ts";

const parameters = z.object({
  path: z.string().describe("File or directory to move, relative to the worktree"),
  new_path: z.string().describe("Its new path, relative to the worktree, name included; nothing may be there"),
  if_version: z
    .string()
    .optional()
    .describe(
      "Version of the file that may be moved, as read_file gives it; fails if it is another by now. Default: any",
    ),
});

const output = z.object({
  path: z.string().describe("The new path, links resolved"),
  from: z.string().describe("The former path, links resolved"),
});

/** Makes `move_file`: another name for a file or directory. */
export function createMoveFileTool(gate: WriteGate) {
  return defineTool({
    name: "move_file",
    description:
      "Moves or renames a file or a directory with all that is in it; missing directories are made. Never replaces anything: fails if something has the new name.",
    parameters,
    translate: translateAliases("move_file", parameters),
    output,
    context: worktreeContext,
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    // Changing the worktree is the agent's task. Only files that programs obey without a command need approval.
    needsApproval: (params, context) =>
      gate.needsApproval(params, context, [params.path, params.new_path], (sandbox) =>
        rehearse(() => sandbox.movePath(params.path, params.new_path, stopHere)),
      ),
    async execute(params, run) {
      // All that a directory holds was looked at once to ask for approval: other work goes on before it is again.
      await new Promise((resolve) => setImmediate(resolve));
      run.signal.throwIfAborted();
      const { path, new_path: newPath, if_version: ifVersion } = params;
      const check = versionCheck(attemptOn("move", path), worktreeKey(run.context), ifVersion);
      let from = path;
      // All names below a directory are looked at; of a file its contents.
      const tree = { contents: (one: string) => one === path, recursive: true, leftOut: undefined };
      const reaches = [
        { verb: "move", path, tree },
        { verb: "move to", path: newPath },
      ] as const;
      const moved = await changeFiles(gate, params, run, reaches, (sandbox) =>
        sandbox.movePath(path, newPath, (bytes, place, kind) => {
          from = place;
          check(bytes, place, kind);
        }),
      );
      const result = success(`Moved ${printablePath(from)} to ${printablePath(moved.path)}`, {
        data: { path: moved.path, from },
      });
      return withNotes(gate, run, [{ path: moved.path, kind: "moved", from }], result);
    },
  });
}

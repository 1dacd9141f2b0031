import { defineTool, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { printablePath } from "../error/printable-path.ts";
import { attemptOn } from "../sandbox/path-segments.ts";
import { rehearse, stopHere } from "../sandbox/rehearse.ts";
import { retryWhileBusy } from "../sandbox/retry-while-busy.ts";
import { worktreeContext } from "../sandbox/worktree-context.ts";
import type { WriteGate } from "../sandbox/write-gate.ts";
import { versionCheck } from "./version-check.ts";

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
    output,
    context: worktreeContext,
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    // The worktree is what the agent was given to change, but for what other programs obey.
    needsApproval: (params, context) =>
      gate.needsApprovalFor(params, context, (sandbox) =>
        rehearse(() => sandbox.movePath(params.path, params.new_path, stopHere)),
      ),
    execute(params, run) {
      const { path, new_path: newPath, if_version: ifVersion } = params;
      const { worktreePath } = run.context;
      const check = versionCheck(attemptOn("move", path), worktreePath, ifVersion);
      const move = () => {
        let from = path;
        const moved = gate.withSandbox(params, worktreePath, (sandbox) =>
          sandbox.movePath(path, newPath, (bytes, place, kind) => {
            from = place;
            check(bytes, place, kind);
          }),
        );
        return success(`Moved ${printablePath(from)} to ${printablePath(moved.path)}`, {
          data: { path: moved.path, from },
        });
      };
      return retryWhileBusy(move, () => run.signal);
    },
  });
}

import { defineTool, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { translateAliases } from "../aliases/aliases.ts";
import { printablePath } from "../error/printable-path.ts";
import { withNotes } from "../file-system/after-write.ts";
import { changeFiles } from "../file-system/work-in-tree.ts";
import { attemptOn } from "../sandbox/path-segments.ts";
import type { EntryKind } from "../sandbox/sandbox-hooks.ts";
import { worktreeContext, worktreeKey } from "../sandbox/worktree-context.ts";
import type { WriteGate } from "../sandbox/write-gate.ts";
import { rehearse, stopHere, versionCheck } from "./change-check.ts";

const parameters = z.object({
  path: z.string().describe("File or empty directory to delete, relative to the worktree"),
  if_version: z
    .string()
    .optional()
    .describe(
      "Version of the file that may be deleted, as read_file gives it; fails if it is another by now. Default: any",
    ),
});

const output = z.object({
  path: z.string().describe("What was deleted, relative to the worktree"),
  kind: z.enum(["file", "directory", "link"]).describe("What it was"),
});

const WHAT: Readonly<Record<EntryKind, string>> = {
  file: "",
  directory: " (an empty directory)",
  link: " (a symbolic link; its target stays)",
};

/** Makes `delete_file`: removes a file, an empty directory or a symbolic link itself. */
export function createDeleteFileTool(gate: WriteGate) {
  return defineTool({
    name: "delete_file",
    description:
      "Deletes a file or an empty directory. Of a symbolic link the link itself is deleted, never its target.",
    parameters,
    translate: translateAliases("delete_file", parameters),
    output,
    context: worktreeContext,
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    // Changing the worktree is the agent's task. Only files that programs obey without a command need approval.
    needsApproval: (params, context) =>
      gate.needsApproval(params, context, [params.path], (sandbox) =>
        rehearse(() => sandbox.removePath(params.path, stopHere)),
      ),
    async execute(params, run) {
      const { path, if_version: ifVersion } = params;
      const check = versionCheck(attemptOn("delete", path), worktreeKey(run.context), ifVersion);
      let kind: EntryKind = "file";
      const tree = { contents: () => true, recursive: false, leftOut: undefined };
      const removed = await changeFiles(gate, params, run, [{ verb: "delete", path, tree }], (sandbox) =>
        sandbox.removePath(path, (bytes, place, found) => {
          kind = found;
          check(bytes, place, found);
        }),
      );
      const result = success(`Deleted ${printablePath(removed.path)}${WHAT[kind]}`, {
        data: { path: removed.path, kind },
      });
      return withNotes(gate, run, [{ path: removed.path, kind: "deleted" }], result);
    },
  });
}

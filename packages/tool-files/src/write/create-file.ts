import { defineTool, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { translateAliases } from "../aliases/aliases.ts";
import { printablePath } from "../error/printable-path.ts";
import { withNotes } from "../file-system/after-write.ts";
import { changeFiles } from "../file-system/work-in-tree.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { worktreeContext, worktreeKey } from "../sandbox/worktree-context.ts";
import type { WriteGate } from "../sandbox/write-gate.ts";
import { textBytes } from "../text/text-bytes.ts";
import { rememberVersion } from "../version/content-version.ts";

const parameters = z.object({
  path: z.string().describe("File to create, relative to the worktree"),
  content: z.string().describe("The whole text of the file"),
  executable: z.boolean().optional().describe("Whether the file may be run as a program. Default: no"),
});

const output = z.object({
  path: z.string().describe("The file that was created, links resolved"),
  bytes: z.int().describe("Its length in bytes"),
  version: z.string().nullable().describe("Its version, null when it is too long to have one"),
});

/** Makes `create_file`: a file that does not exist yet. */
export function createCreateFileTool(gate: WriteGate) {
  return defineTool({
    name: "create_file",
    description:
      "Creates a text file as UTF-8; missing directories are made. Fails if something of that name exists: use write_file to replace a file.",
    parameters,
    translate: translateAliases("create_file", parameters),
    output,
    context: worktreeContext,
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    // Changing the worktree is the agent's task. Only files that programs obey without a command need approval.
    needsApproval: (params, context) => gate.needsApproval(params, context, [params.path]),
    async execute(params, run) {
      const { path, content, executable } = params;
      const bytes = textBytes("create", path, content);
      const create = (sandbox: Sandbox) => sandbox.createFile(path, bytes, { executable });
      const created = await changeFiles(gate, params, run, [{ verb: "create", path }], create);
      const version = rememberVersion(worktreeKey(run.context), bytes);
      const named = version === undefined ? "" : `, version ${version}`;
      const result = success(`Created ${printablePath(created.path)}, ${bytes.length} bytes${named}`, {
        data: { path: created.path, bytes: bytes.length, version: version ?? null },
      });
      return withNotes(gate, run, [{ path: created.path, kind: "created" }], result);
    },
  });
}

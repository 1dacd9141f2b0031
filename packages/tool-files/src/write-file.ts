import { defineTool, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { printablePath } from "./printable-path.ts";
import { textBytes } from "./text-bytes.ts";
import { inSandbox, worktreeContext } from "./worktree-context.ts";

const parameters = z.object({
  path: z.string().describe("File to write, relative to the worktree"),
  content: z.string().describe("The whole text of the file"),
});

const output = z.object({
  path: z.string().describe("The file that was written, links resolved"),
  bytes: z.int().describe("Its length in bytes"),
  created: z.boolean().describe("Whether there was no such file before"),
});

/** `write_file`: a whole file, in place of what was there. */
export const writeFileTool = defineTool({
  name: "write_file",
  description:
    "Writes a whole text file as UTF-8, replacing what was there; missing directories are made. To change a part of a file use edit_file, to be sure that nothing is replaced use create_file.",
  parameters,
  output,
  context: worktreeContext,
  annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  // The worktree is what the agent was given to change; a host that wants a say asks in middleware.
  needsApproval: false,
  execute({ path, content }, run) {
    const bytes = textBytes("write", path, content);
    const { path: written, created } = inSandbox(run.context.worktreePath, (sandbox) => sandbox.writeFile(path, bytes));
    return success(`${created ? "Created" : "Replaced"} ${printablePath(written)}, ${bytes.length} bytes`, {
      data: { path: written, bytes: bytes.length, created },
    });
  },
});

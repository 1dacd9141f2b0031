import { defineTool, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { printablePath } from "./printable-path.ts";
import { textBytes } from "./text-bytes.ts";
import { inSandbox, worktreeContext } from "./worktree-context.ts";

const parameters = z.object({
  path: z.string().describe("File to create, relative to the worktree"),
  content: z.string().describe("The whole text of the file"),
});

const output = z.object({
  path: z.string().describe("The file that was created, links resolved"),
  bytes: z.int().describe("Its length in bytes"),
});

/** `create_file`: a file that does not exist yet. */
export const createFileTool = defineTool({
  name: "create_file",
  description:
    "Creates a text file as UTF-8; missing directories are made. Fails if something of that name exists: use write_file to replace a file.",
  parameters,
  output,
  context: worktreeContext,
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  execute({ path, content }, run) {
    const bytes = textBytes("create", path, content);
    const created = inSandbox(run.context.worktreePath, (sandbox) => sandbox.createFile(path, bytes));
    return success(`Created ${printablePath(created.path)}, ${bytes.length} bytes`, {
      data: { path: created.path, bytes: bytes.length },
    });
  },
});

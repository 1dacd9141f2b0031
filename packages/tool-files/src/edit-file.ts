import { defineTool, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { binaryReason } from "./binary-reason.ts";
import { editBytes, type EditedBytes } from "./edit-bytes.ts";
import { BinaryFileError } from "./files-error.ts";
import { attemptOn } from "./path-names.ts";
import { printablePath } from "./printable-path.ts";
import { showDiff } from "./show-diff.ts";
import { inSandbox, worktreeContext } from "./worktree-context.ts";

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_EDITS = 200;

const parameters = z.object({
  path: z.string().describe("File to edit, relative to the worktree"),
  edits: z
    .array(
      z.object({
        old_text: z
          .string()
          .describe("Text to replace, exactly as in the file, without line numbers; must be there once"),
        new_text: z.string().describe("Text to put in its place"),
      }),
    )
    .min(1)
    .max(MAX_EDITS)
    .describe("Replacements in sequence, each applied to what the one before left"),
});

const output = z.object({
  path: z.string().describe("The file that was edited, links resolved"),
  edits: z.int().describe("How many edits were applied: all of them"),
  diff: z.string().describe("Unified diff, its line numbers 1-based as in every unified diff"),
});

/** `edit_file`: exact replacements, all or none. */
export const editFileTool = defineTool({
  name: "edit_file",
  description:
    "Replaces exact pieces of text in a file. Edits apply in sequence, all or none; each old_text has to be there exactly once, so include enough lines around it. Everything else in the file stays as it is, byte for byte. Answers with a unified diff.",
  parameters,
  output,
  context: worktreeContext,
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  // The worktree is what the agent was given to change; a host that wants a say asks in middleware.
  needsApproval: false,
  execute({ path, edits }, run) {
    const attempt = attemptOn("edit", path);
    let before: Buffer = Buffer.alloc(0);
    let edited: EditedBytes = { bytes: before, crlf: 0 };
    const { path: changed } = inSandbox(run.context.worktreePath, (sandbox) =>
      sandbox.changeFile(path, MAX_BYTES, (bytes) => {
        const binary = binaryReason(bytes);
        if (binary !== undefined) throw new BinaryFileError(`${attempt}: ${binary}, edit_file edits text only`);
        before = bytes;
        edited = editBytes(bytes, edits, attempt);
        return edited.bytes;
      }),
    );
    const diff = showDiff(changed, before, edited.bytes);
    const applied = `Applied ${edits.length} edit${edits.length === 1 ? "" : "s"} to ${printablePath(changed)}`;
    const crlf = edited.crlf > 0 ? `, ${edited.crlf} of them written with CRLF line ends like the text around` : "";
    return success(`${applied}${crlf}; line numbers of the diff are 1-based\n${diff}`, {
      data: { path: changed, edits: edits.length, diff },
    });
  },
});

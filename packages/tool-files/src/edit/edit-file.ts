import { defineTool, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { BinaryFileError, FileNotFoundError } from "../error/files-error.ts";
import { printablePath } from "../error/printable-path.ts";
import { attemptOn } from "../sandbox/path-segments.ts";
import { retryWhileBusy } from "../sandbox/retry-while-busy.ts";
import { worktreeContext } from "../sandbox/worktree-context.ts";
import type { WriteGate } from "../sandbox/write-gate.ts";
import { binaryReason } from "../text/binary-reason.ts";
import { detectEncoding } from "../text/text-encoding.ts";
import { contentVersion, MAX_EDIT_BYTES } from "../version/content-version.ts";
import { unifiedDiff } from "../version/unified-diff.ts";
import { rememberVersion } from "../version/version-cache.ts";
import { versionConflict } from "../version/version-conflict.ts";
import { editBytes, type EditedBytes } from "./edit-bytes.ts";
import { editNotes } from "./edit-notes.ts";
import { mergeEdits } from "./merge-edits.ts";

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
  if_version: z
    .string()
    .optional()
    .describe(
      "Version of the file the edits were made for, as read_file gives it. If the file has changed since, they apply only where they touch nothing that changed. Default: any version",
    ),
});

const output = z.object({
  path: z.string().describe("The file that was edited, links resolved"),
  edits: z.int().describe("How many edits were applied: all of them"),
  version: z.string().nullable().describe("Version of the file now, null when it is too long to have one"),
  merged: z
    .boolean()
    .describe("Whether the file was no longer the version that was given, and the edits fitted all the same"),
  matched: z
    .array(z.enum(["exact", "line_ends", "trailing_space", "indentation", "line_numbers"]))
    .describe("For each edit, how old_text was found: as it is, or leaving these aside"),
  diff: z.string().describe("Unified diff, its line numbers 1-based as in every unified diff"),
});

/** Makes `edit_file`: exact replacements, all or none. */
export function createEditFileTool(gate: WriteGate) {
  return defineTool({
    name: "edit_file",
    description:
      "Replaces exact pieces of text in a file. Edits apply in sequence, all or none; each old_text has to be there exactly once, so include enough lines around it. White space at line ends, the indentation of all lines and copied line numbers may differ if nothing else does, which the answer says. Everything else in the file stays as it is, byte for byte, in its encoding. Answers with a unified diff.",
    parameters,
    output,
    context: worktreeContext,
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    // The worktree is what the agent was given to change, but for what other programs obey.
    needsApproval: (params, context) => gate.needsApproval(params, context, params.path),
    execute(params, run) {
      return retryWhileBusy(
        () => edit(gate, params, run.context.worktreePath),
        () => run.signal,
      );
    },
  });
}

function edit(gate: WriteGate, params: z.infer<typeof parameters>, worktreePath: string) {
  const { path, edits, if_version: ifVersion } = params;
  const attempt = attemptOn("edit", path);
  let before: Buffer = Buffer.alloc(0);
  let edited: EditedBytes = { bytes: before, applied: [] };
  let merged = false;
  const change = (now: Buffer, place: string) => {
    before = now;
    merged = ifVersion !== undefined && contentVersion(now) !== ifVersion;
    if (detectEncoding(now) === undefined)
      throw new BinaryFileError(`${attempt}: ${binaryReason(now) ?? "it is binary"}, edit_file edits text only`);
    edited =
      ifVersion !== undefined && merged
        ? mergeEdits(attempt, { worktreePath, path: place, now, ifVersion }, edits)
        : editBytes(now, edits, attempt);
    return edited.bytes;
  };
  const { path: changed } = gate.withSandbox(params, worktreePath, (sandbox) => {
    try {
      return sandbox.changeFile(path, MAX_EDIT_BYTES, change);
    } catch (error) {
      if (ifVersion === undefined || !(error instanceof FileNotFoundError)) throw error;
      throw versionConflict(attempt, { worktreePath, path, now: undefined, ifVersion }, "");
    }
  });
  rememberVersion(worktreePath, before);
  const version = rememberVersion(worktreePath, edited.bytes);
  const diff = unifiedDiff(changed, before, edited.bytes);
  const applied = `Applied ${edits.length} edit${edits.length === 1 ? "" : "s"} to ${printablePath(changed)}`;
  const notes = editNotes(edited.applied, merged, version);
  return success([`${applied}${notes.join("")}; line numbers of the diff are 1-based`, diff].join("\n"), {
    data: {
      path: changed,
      edits: edits.length,
      version: version ?? null,
      merged,
      matched: edited.applied.map(({ tier }) => tier),
      diff,
    },
  });
}

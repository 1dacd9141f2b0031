import { defineTool, success, type ToolRun } from "@dispatch/tools-interface";
import { z } from "zod";
import { FileNotFoundError, FilesError } from "../error/files-error.ts";
import { printablePath } from "../error/printable-path.ts";
import { withNotes } from "../file-system/after-write.ts";
import { whenDone } from "../file-system/when-done.ts";
import { changeInTree } from "../file-system/work-in-tree.ts";
import { writeHabits } from "../habits/write-habits.ts";
import { attemptOn } from "../sandbox/path-segments.ts";
import { retryWhileBusy } from "../sandbox/retry-while-busy.ts";
import type { WriteHow, Written } from "../sandbox/sandbox-writes.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { worktreeContext, worktreeKey, type WorktreeContext } from "../sandbox/worktree-context.ts";
import type { WriteGate } from "../sandbox/write-gate.ts";
import { omittedLinesInSlices } from "../text/omitted-lines.ts";
import { textBytes } from "../text/text-bytes.ts";
import { conflictInThread } from "../version/conflict-in-thread.ts";
import { contentVersion, MAX_EDIT_BYTES } from "../version/content-version.ts";
import { recallVersion, rememberVersion } from "../version/version-cache.ts";
import type { ChangedFile } from "../version/version-conflict.ts";
import { assertWhole } from "./omission.ts";

const parameters = z.object({
  path: z.string().describe("File to write, relative to the worktree"),
  content: z.string().describe("The whole text of the file"),
  executable: z
    .boolean()
    .optional()
    .describe("Whether the file may be run as a program. Default: as before, a new file not"),
  if_version: z
    .string()
    .optional()
    .describe(
      "Version of the file that may be replaced, as read_file gives it; fails if it is another by now. Default: any",
    ),
});

const output = z.object({
  path: z.string().describe("The file that was written, links resolved"),
  bytes: z.int().describe("Its length in bytes"),
  version: z.string().nullable().describe("Its version, null when it is too long to have one"),
  created: z.boolean().describe("Whether there was no such file before"),
});

/** Makes `write_file`: writes a whole file, replacing an existing one. */
export function createWriteFileTool(gate: WriteGate) {
  return defineTool({
    name: "write_file",
    description:
      "Writes a whole text file as UTF-8, replacing an existing one; missing directories are made. To change a part of a file use edit_file, to be sure that nothing is replaced use create_file.",
    parameters,
    translate: (sent) => writeHabits(sent, Object.keys(parameters.shape), true),
    output,
    context: worktreeContext,
    annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    // Changing the worktree is the agent's task. Only files that programs obey without a command need approval.
    needsApproval: (params, context) => gate.needsApproval(params, context, params.path),
    execute(params, run) {
      const bytes = textBytes("write", params.path, params.content);
      const written = whenDone(omittedLinesInSlices(params.content, run.signal), (omissions) =>
        retryWhileBusy(
          () => write(gate, params, { bytes, omissions }, run),
          () => run.signal,
        ),
      );
      return whenDone(written, orConflict);

      function orConflict(outcome: Awaited<typeof written>) {
        if (!("conflict" in outcome)) return outcome;
        return conflictInThread(attemptOn("write", params.path), outcome.conflict, run.signal).then((error) => {
          throw error;
        });
      }
    },
  });
}

/** The text of a call: its bytes, and the lines of it that stand for text which was left out. */
interface NewText {
  readonly bytes: Buffer;
  readonly omissions: readonly string[];
}

function write(
  gate: WriteGate,
  params: z.infer<typeof parameters>,
  { bytes, omissions }: NewText,
  run: ToolRun<WorktreeContext>,
) {
  const { context } = run;
  const key = worktreeKey(context);
  const { path, executable, if_version: ifVersion } = params;
  const change = (sandbox: Sandbox) => {
    assertWhole(sandbox, path, { content: params.content, omissions }, attemptOn("write", path));
    return ifVersion === undefined
      ? sandbox.writeFile(path, bytes, { executable })
      : replaceVersion(sandbox, path, bytes, { executable, ifVersion, base: recallVersion(key, ifVersion) });
  };
  return whenDone(changeInTree(gate, params, context, [{ verb: "write", path }], change), (done) => {
    if ("conflict" in done) return done;
    const { path: written, created, replacedBytes } = done;
    const version = rememberVersion(key, bytes);
    const named = version === undefined ? "" : `, version ${version}`;
    const result = success(
      `${created ? "Created" : "Replaced"} ${printablePath(written)}, ${bytes.length} bytes${named}${gate.undoNote(replacedBytes)}`,
      {
        data: { path: written, bytes: bytes.length, version: version ?? null, created },
      },
    );
    return withNotes(gate, run, [{ path: written, kind: created ? "created" : "changed" }], result);
  });
}

function replaceVersion(
  sandbox: Sandbox,
  path: string,
  bytes: Buffer,
  { executable, ...expected }: Pick<ChangedFile, "ifVersion" | "base"> & WriteHow,
): Written | { readonly conflict: ChangedFile } {
  let conflict: ChangedFile | undefined;
  try {
    return sandbox.changeFile(
      path,
      MAX_EDIT_BYTES,
      (now, place) => {
        if (contentVersion(now) === expected.ifVersion) return bytes;
        conflict = { ...expected, path: place, now };
        throw new FilesError("another version");
      },
      { executable },
    );
  } catch (error) {
    if (conflict !== undefined) return { conflict };
    if (!(error instanceof FileNotFoundError)) throw error;
    return { conflict: { ...expected, path, now: undefined } };
  }
}

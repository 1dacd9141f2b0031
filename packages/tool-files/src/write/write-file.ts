import fs from "node:fs";
import { defineTool, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { translateAliases } from "../aliases/aliases.ts";
import { FileNotFoundError, FilesError } from "../error/files-error.ts";
import { printablePath } from "../error/printable-path.ts";
import { withNotes } from "../file-system/after-write.ts";
import { changeFiles } from "../file-system/work-in-tree.ts";
import { attemptOn } from "../sandbox/path-segments.ts";
import { type Sandbox, withOpenFile, type WriteHow, type Written } from "../sandbox/sandbox.ts";
import { worktreeContext, worktreeKey } from "../sandbox/worktree-context.ts";
import type { WriteGate } from "../sandbox/write-gate.ts";
import { dotsForLines, hasDots, missingLines, omittedLinesInSlices } from "../text/omitted-lines.ts";
import { textBytes } from "../text/text-bytes.ts";
import { ThreadPool } from "../thread/thread-pool.ts";
import { contentVersion, MAX_EDIT_BYTES, recallVersion, rememberVersion } from "../version/content-version.ts";
import { type ChangedFile, versionConflict } from "../version/version-conflict.ts";

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

/** Bytes of both versions whose differences are found while nothing else is done. */
const MAX_QUICK_BYTES = 16 * 1024;
const conflictThread = new ThreadPool(1);

/** Makes `write_file`: writes a whole file, replacing an existing one. */
export function createWriteFileTool(gate: WriteGate) {
  return defineTool({
    name: "write_file",
    description:
      "Writes a whole text file as UTF-8, replacing an existing one; missing directories are made. To change a part of a file use edit_file, to be sure that nothing is replaced use create_file.",
    parameters,
    translate: translateAliases("write_file", parameters),
    output,
    context: worktreeContext,
    annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    // Changing the worktree is the agent's task. Only files that programs obey without a command need approval.
    needsApproval: (params, context) => gate.needsApproval(params, context, [params.path]),
    async execute(params, run) {
      const { path, content, executable, if_version: ifVersion } = params;
      const attempt = attemptOn("write", path);
      const bytes = textBytes("write", path, content);
      const key = worktreeKey(run.context);
      const looked = omittedLinesInSlices(content, run.signal);
      const omissions = looked instanceof Promise ? await looked : looked;
      const done = await changeFiles(gate, params, run, [{ verb: "write", path }], (sandbox) => {
        assertWhole(sandbox, path, { content, omissions }, attempt);
        return ifVersion === undefined
          ? sandbox.writeFile(path, bytes, { executable })
          : replaceVersion(sandbox, path, bytes, { executable, ifVersion, base: recallVersion(key, ifVersion) });
      });
      if ("conflict" in done) throw await conflictError(attempt, done.conflict, run.signal);
      const { path: written, created, replacedBytes } = done;
      const version = rememberVersion(key, bytes);
      const named = version === undefined ? "" : `, version ${version}`;
      const result = success(
        `${created ? "Created" : "Replaced"} ${printablePath(written)}, ${bytes.length} bytes${named}${gate.undoNote(replacedBytes)}`,
        { data: { path: written, bytes: bytes.length, version: version ?? null, created } },
      );
      return withNotes(gate, run, [{ path: written, kind: created ? "created" : "changed" }], result);
    },
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

/** {@link versionConflict}, in a thread when the contents are long: to compare them may take a second. */
async function conflictError(attempt: string, file: ChangedFile, signal: AbortSignal): Promise<FilesError> {
  const { now, base } = file;
  if (now === undefined || base === undefined || now.length + base.length <= MAX_QUICK_BYTES)
    return versionConflict(attempt, file, "");
  const message = await conflictThread.run("conflictMessage", { attempt, file }, signal);
  return new FilesError(message, { code: "version_conflict" });
}

/** Bytes of a file that are looked at. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Refuses a whole new text for a file that exists, if lines of it stand for text which was left out, as `omittedLines` gives
 * them, and the file has no such lines, or as `dotsForLines` finds them: writing it would lose that text. Code
 * `omitted_text`.
 */
function assertWhole(
  sandbox: Sandbox,
  path: string,
  { content, omissions }: { readonly content: string; readonly omissions: readonly string[] },
  attempt: string,
): void {
  const dots = hasDots(content);
  if (omissions.length === 0 && !dots) return;
  const there = textOf(sandbox, path);
  if (there === undefined) return;
  const line = missingLines(omissions, there)[0] ?? (dots ? dotsForLines(content, there) : undefined);
  if (line === undefined) return;
  throw new FilesError(
    `${attempt}: the line ${JSON.stringify(line)} stands for text that was left out, which the file would lose; send the whole text, or use edit_file to change a part`,
    { code: "omitted_text" },
  );
}

/** The text of a file; `undefined` if there is none. */
function textOf(sandbox: Sandbox, path: string): string | undefined {
  try {
    return withOpenFile(sandbox, path, ({ fd, size }) => (size > MAX_BYTES ? "" : fs.readFileSync(fd, "utf8")));
  } catch (error) {
    if (error instanceof FileNotFoundError) return undefined;
    throw error;
  }
}

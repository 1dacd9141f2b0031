import { defineTool, success, type ToolRun } from "@dispatch/tools-interface";
import { z } from "zod";
import { MAX_EDIT_CHARS, MAX_EDITS } from "../aliases/alias-readers.ts";
import { translateAliases } from "../aliases/aliases.ts";
import { FileNotFoundError, FilesError, SandboxError } from "../error/files-error.ts";
import { printablePath } from "../error/printable-path.ts";
import { withNotes } from "../file-system/after-write.ts";
import { changeFiles } from "../file-system/work-in-tree.ts";
import { attemptOn } from "../sandbox/path-segments.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { worktreeContext, type WorktreeContext, worktreeKey } from "../sandbox/worktree-context.ts";
import type { WriteGate } from "../sandbox/write-gate.ts";
import { asBuffer } from "../text/bytes.ts";
import { encodingName } from "../text/encoding-name.ts";
import type { LineNumbers } from "../text/line-numbers.ts";
import { ThreadPool } from "../thread/thread-pool.ts";
import { contentVersion, MAX_EDIT_BYTES, recallVersion, rememberVersion } from "../version/content-version.ts";
import { versionConflict } from "../version/version-conflict.ts";
import { type AppliedEdit, assertEdits } from "./edit-bytes.ts";
import type { IndentChange, TabChange } from "./edit-match.ts";
import { tabsAndSpaces } from "./explain-failure.ts";
import { type EditOutcome, type EditRequest, isQuickEdit, makeEdit } from "./make-edit.ts";

/** Edits in threads at a time, for each set of tools. */
const MAX_THREADS = 2;
/** How often an edit is made anew in a thread because the file was changed meanwhile. */
const MAX_ATTEMPTS = 16;

const parameters = z.object({
  path: z.string().describe("File to edit, relative to the worktree"),
  edits: z
    .array(
      z.object({
        old_text: z
          .string()
          .describe(
            "Text to replace, exactly as in the file, without line numbers; must be there once unless replace_all",
          ),
        new_text: z.string().describe("Text to put in its place"),
        replace_all: z
          .boolean()
          .optional()
          .describe("Whether to replace every place where old_text is, not only a single one. Default false"),
      }),
    )
    .min(1)
    .max(MAX_EDITS)
    .describe("Replacements in sequence, each applied to the result of the one before"),
  if_version: z
    .string()
    .optional()
    .describe(
      "Version of the file the edits were made for, as read_file gives it. If the file has changed since, they apply only where they touch nothing that changed. Default: any version",
    ),
  encoding: z
    .string()
    .optional()
    .describe(
      "Encoding of the file, such as windows-1251 or Shift_JIS, if it is neither UTF-8 nor UTF-16, which are recognised",
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
    .array(z.enum(["exact", "line_ends", "characters", "trailing_space", "indentation", "line_numbers"]))
    .describe("For each edit, how old_text was found: as it is, or leaving these aside"),
  replaced: z.array(z.int()).describe("For each edit, how many places it replaced"),
  diff: z.string().describe("Unified diff, its line numbers 1-based as in every unified diff"),
});

/** Makes `edit_file`: exact replacements, all or none. */
export function createEditFileTool(gate: WriteGate, numbers: LineNumbers) {
  const threads = new ThreadPool(MAX_THREADS);
  return defineTool({
    name: "edit_file",
    description:
      "Replaces exact pieces of text in a file. Edits apply in sequence, all or none; each old_text has to be there exactly once, so include enough lines around it, or set replace_all. The kind of quotes, dashes and spaces, white space at line ends, the indentation of all lines or copied line numbers may differ if nothing else does, which the answer says. Everything else in the file stays as it is, byte for byte, in its encoding. Answers with a unified diff.",
    parameters,
    translate: translateAliases("edit_file", parameters),
    output,
    context: worktreeContext,
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    // Changing the worktree is the agent's task. Only files that programs obey without a command need approval.
    needsApproval: (params, context) => gate.needsApproval(params, context, [params.path]),
    async execute(params, run) {
      assertBounded(params);
      const attempt = attemptOn("edit", params.path);
      assertEdits(params.edits, attempt);
      let made: MadeEdit | undefined;
      for (let attempts = 0; attempts <= MAX_ATTEMPTS; attempts += 1) {
        const tried = await changeFiles(gate, params, run, [{ verb: "edit", path: params.path }], (sandbox) =>
          tryEdit(sandbox, { gate, numbers }, params, run.context, made),
        );
        if (!("now" in tried)) return answer(gate, params, run, tried);
        const outcome = await threads.run("makeEdit", tried, run.signal);
        made = { request: tried, outcome: { ...outcome, bytes: asBuffer(outcome.bytes) } };
      }
      throw new SandboxError(`${attempt}: it is being changed all the time, try again later`, {
        code: "unstable_path",
      });
    },
  });
}

function assertBounded({ path, edits }: Params): void {
  const length = edits.reduce((sum, { old_text, new_text }) => sum + old_text.length + new_text.length, 0);
  if (length <= MAX_EDIT_CHARS) return;
  throw new FilesError(
    `${attemptOn("edit", path)}: the texts of the edits are ${length} characters long, allowed are ${MAX_EDIT_CHARS}; send fewer edits a call, or use write_file`,
    { code: "file_too_large" },
  );
}

interface MadeEdit {
  readonly request: EditRequest;
  readonly outcome: EditOutcome;
}

type Params = z.infer<typeof parameters>;

/**
 * Edits the file, if that is quick or was done in a thread before: for the same file and contents as now. Otherwise nothing
 * is changed and the result is the request for a thread.
 */
function tryEdit(
  sandbox: Sandbox,
  { gate, numbers }: { readonly gate: WriteGate; readonly numbers: LineNumbers },
  params: Params,
  context: WorktreeContext,
  made: MadeEdit | undefined,
): MadeEdit | EditRequest {
  const key = worktreeKey(context);
  const { path, edits, if_version: ifVersion } = params;
  const attempt = attemptOn("edit", path);
  const encoding = params.encoding === undefined ? undefined : encodingName(params.encoding, attempt);
  const expected = ifVersion === undefined ? undefined : { ifVersion, base: recallVersion(key, ifVersion) };
  const later = new FilesError("made in a thread");
  let request: EditRequest | undefined;
  let done = made;
  try {
    sandbox.changeFile(path, MAX_EDIT_BYTES, (now, place) => {
      if (made?.request.path !== place || !made.request.now.equals(now)) {
        const lost =
          expected !== undefined && expected.base === undefined && contentVersion(now) !== expected.ifVersion;
        const base = lost ? gate.recall(sandbox, place, expected.ifVersion) : expected?.base;
        const settings = { encoding, firstLine: numbers.first };
        request = { attempt, path: place, now, edits, ...settings, expected: expected && { ...expected, base } };
        if (!isQuickEdit(request)) throw later;
        done = { request, outcome: makeEdit(request) };
      } else done = made;
      return done.outcome.bytes;
    });
  } catch (error) {
    if (error === later && request !== undefined) return request;
    if (expected === undefined || !(error instanceof FileNotFoundError)) throw error;
    throw versionConflict(attempt, { ...expected, path, now: undefined }, "");
  }
  return done!;
}

function answer(gate: WriteGate, { edits }: Params, run: ToolRun<WorktreeContext>, { request, outcome }: MadeEdit) {
  const { path, now } = request;
  const { bytes, versions, merged, diff, applied } = outcome;
  const key = worktreeKey(run.context);
  rememberVersion(key, now, versions[0]);
  const version = rememberVersion(key, bytes, versions[1]);
  const done = `Applied ${edits.length} edit${edits.length === 1 ? "" : "s"} to ${printablePath(path)}`;
  const notes = editNotes(applied, merged, version);
  const result = success(
    [`${done}${notes.join("")}${gate.undoNote(now.length)}; line numbers of the diff are 1-based`, diff].join("\n"),
    {
      data: {
        path,
        edits: edits.length,
        version: version ?? null,
        merged,
        matched: applied.map(({ tier }) => tier),
        replaced: applied.map(({ places }) => places),
        diff,
      },
    },
  );
  return withNotes(gate, run, [{ path, kind: "changed" }], result);
}

/**
 * The answer's notes on edits that did not simply apply, and on the resulting version. Each part begins with a comma.
 */
function editNotes(applied: readonly AppliedEdit[], merged: boolean, version: string | undefined): string[] {
  const crlf = applied.filter((edit) => edit.crlf).length;
  const loose = applied.flatMap((edit, index) => {
    const how = describeTier(edit);
    return how === undefined ? [] : [`, edits[${index}] ${how}`];
  });
  return [
    ...(crlf > 0 ? [`, ${crlf} of them written with CRLF line ends like the text around`] : []),
    ...loose,
    ...applied.flatMap(({ places }, index) => (places > 1 ? [`, edits[${index}] in ${places} places`] : [])),
    ...(merged ? [", which had changed since the version given, in lines the edits do not touch"] : []),
    ...(version === undefined ? [] : [`, now version ${version}`]),
  ];
}

function describeTier({ tier, indent, tabs }: AppliedEdit): string | undefined {
  switch (tier) {
    case "exact":
      return undefined;
    case "line_ends":
      return "found with other line ends";
    case "characters":
      return "found with other quotes, dashes or spaces, lines that new_text changes have those of new_text";
    case "trailing_space":
      return "found with other white space at line ends";
    case "indentation":
      return `found with other indentation, new_text written with ${tabs === undefined ? describeIndent(indent) : describeTabs(tabs)}`;
    case "line_numbers":
      return "found without the line numbers it was given with";
  }
}

function describeIndent(indent: IndentChange | undefined): string {
  return indent === undefined ? "it" : `${tabsAndSpaces(indent.by)} ${indent.deeper ? "more" : "less"}`;
}

function describeTabs({ toTabs, width }: TabChange): string {
  return toTabs ? `a tab for ${width} spaces` : `${width} spaces for a tab`;
}

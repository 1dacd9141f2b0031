import fs from "node:fs";
import { defineTool, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { translateAliases } from "../aliases/aliases.ts";
import { FilesError, SandboxError, WrongKindError } from "../error/files-error.ts";
import { printablePath } from "../error/printable-path.ts";
import { withNotes } from "../file-system/after-write.ts";
import { changeInTree, readInTree, retryWhileBusy } from "../file-system/work-in-tree.ts";
import { inTransaction } from "../history/transaction.ts";
import { attemptOn } from "../sandbox/path-segments.ts";
import { type Sandbox, withOpenFile } from "../sandbox/sandbox.ts";
import { worktreeContext, type WorktreeContext, worktreeKey } from "../sandbox/worktree-context.ts";
import type { ChangedPath, WriteGate } from "../sandbox/write-gate.ts";
import { asBuffer } from "../text/bytes.ts";
import type { FirstLine, LineNumbers } from "../text/line-numbers.ts";
import { textBytes } from "../text/text-bytes.ts";
import { ThreadPool } from "../thread/thread-pool.ts";
import { TimeSlice } from "../thread/time-slice.ts";
import { MAX_EDIT_BYTES, rememberVersion } from "../version/content-version.ts";
import { parsePatch, type PatchChange } from "./parse-patch.ts";
import { isQuickPatch, patched, type Patched, type PatchRequest } from "./patch-bytes.ts";

/** Patches in threads at a time, for each set of tools. */
const MAX_THREADS = 2;
const MAX_CHARS = 1_000_000;
/** Characters of the diffs that are shown. */
const MAX_DIFF_CHARS = 40_000;

const parameters = z.object({
  patch: z
    .string()
    .max(MAX_CHARS)
    .describe(
      "The patch, from *** Begin Patch to *** End Patch. *** Add File: PATH, then lines that begin with +. *** Delete File: PATH. *** Update File: PATH, perhaps *** Move to: PATH, then pieces: @@ and perhaps a line that stands above, then lines that begin with a space (unchanged), - (removed) or + (added)",
    ),
});

const output = z.object({
  changes: z.array(
    z.object({
      path: z.string().describe("The file, relative to the worktree; its new path if it was moved"),
      kind: z.enum(["add", "delete", "update", "move"]),
      from: z.string().optional().describe("The former path, if it was moved"),
      version: z.string().nullable().describe("Its version now; null for a file that was deleted, or moved as it is"),
    }),
  ),
});

interface Done {
  readonly path: string;
  readonly kind: "add" | "delete" | "update" | "move";
  readonly from?: string;
  readonly bytes?: Buffer;
  readonly diff: string;
}

/** Makes `apply_patch`: changes of several files, all or none. */
export function createApplyPatchTool(gate: WriteGate, { first: firstLine }: LineNumbers) {
  const threads = new ThreadPool(MAX_THREADS);
  return defineTool({
    name: "apply_patch",
    description:
      "Adds, deletes, updates and moves several text files with one patch, all or none. A piece of an update has to be there once, after the piece before it, or after the line that its @@ names. Nothing is replaced: a file that is added, or moved to, must not exist yet. What is not changed stays byte for byte.",
    parameters,
    translate: translateAliases("apply_patch", parameters),
    output,
    context: worktreeContext,
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    // Changing the worktree is the agent's task. Only files that programs obey without a command need approval.
    needsApproval: (params, context) => gate.needsApproval(params, context, pathsOf(params.patch)),
    async execute(params, run) {
      const changes = parsePatch(params.patch);
      const { context, signal } = run;
      const patchFile = await plannedPatches(changes, context, threads, { signal, firstLine });
      const act = async (sandbox: Sandbox) => {
        const slice = new TimeSlice();
        const made: Done[] = [];
        for (const [index, change] of changes.entries()) {
          made.push(applyChange(sandbox, change, patchFile, index === changes.length - 1));
          await slice.pause(signal);
        }
        return made;
      };
      const reaches = pathsOf(params.patch).map((path) => ({ verb: "patch", path }));
      const apply = () =>
        context.fileSystem === undefined
          ? inTransaction(gate, params, context.worktreePath, act)
          : changeInTree(gate, params, context, reaches, act);
      const done = await retryWhileBusy(apply, signal);
      return withNotes(gate, run, done.map(changedPath), answer(done, worktreeKey(context)));
    },
  });
}

/** The paths that a patch names; none of one that cannot be read. */
function pathsOf(patch: string): readonly string[] {
  try {
    return parsePatch(patch).flatMap((change) =>
      change.kind === "update" && change.to !== undefined ? [change.path, change.to] : [change.path],
    );
  } catch {
    return [];
  }
}

function applyChange(sandbox: Sandbox, change: PatchChange, patchFile: PatchFile, isLast: boolean): Done {
  if (change.kind === "add") {
    const bytes = textBytes("add", change.path, change.content);
    const { path } = sandbox.createFile(change.path, bytes);
    return { path, kind: "add", bytes, diff: "" };
  }
  if (change.kind === "delete") {
    const attempt = attemptOn("delete", change.path);
    const { path } = sandbox.removePath(change.path, (bytes, _path, kind) => {
      if (kind === "directory") throw new WrongKindError(`${attempt}: it is a directory, a patch deletes files`);
      if (isLast || (kind === "file" && bytes !== undefined)) return;
      // A change after this one may fail, and then this one has to be taken back.
      const found = kind === "link" ? "a symbolic link" : `longer than ${MAX_EDIT_BYTES} bytes`;
      throw new FilesError(`${attempt}: it is ${found}, delete it at the end of the patch, or with delete_file`, {
        code: kind === "link" ? "wrong_kind" : "file_too_large",
      });
    });
    return { path, kind: "delete", diff: "" };
  }
  const { hunks, to } = change;
  let [bytes, diff]: [Buffer | undefined, string] = [undefined, ""];
  let { path } = change;
  if (hunks.length > 0) {
    ({ path } = sandbox.changeFile(change.path, MAX_EDIT_BYTES, (now) => {
      ({ bytes, diff } = patchFile({ attempt: attemptOn("patch", change.path), path: change.path, now, hunks }));
      return bytes;
    }));
  }
  const own = bytes === undefined ? {} : { bytes };
  if (to === undefined) return { path, kind: "update", ...own, diff };
  const { path: moved } = sandbox.movePath(change.path, to, (_bytes, from, kind) => {
    if (kind === "directory")
      throw new WrongKindError(`${attemptOn("move", change.path)}: it is a directory, a patch moves files`);
    path = from;
  });
  return { path: moved, kind: "move", from: path, ...own, diff };
}

const CHANGED = { add: "created", delete: "deleted", update: "changed", move: "moved" } as const;

function changedPath({ path, kind, from }: Done): ChangedPath {
  return { path, kind: CHANGED[kind], ...(from !== undefined && { from }) };
}

const SIGNS = { add: "A", delete: "D", update: "M", move: "R" } as const;

function answer(done: readonly Done[], key: string) {
  const lines = done.map(({ kind, path, from }) => {
    const former = from === undefined ? "" : `${printablePath(from)} -> `;
    return `${SIGNS[kind]} ${former}${printablePath(path)}`;
  });
  const diffs = done.filter(({ diff }) => diff !== "").map(({ diff }) => diff);
  const shown = diffs.join("\n");
  const cut = shown.length > MAX_DIFF_CHARS ? ["(the diffs go on, use read_file to see the files)"] : [];
  const changes = done.map(({ path, kind, from, bytes }) => ({
    path,
    kind,
    ...(from !== undefined && { from }),
    version: bytes === undefined ? null : (rememberVersion(key, bytes) ?? null),
  }));
  const first = `Applied the patch to ${done.length} file${done.length === 1 ? "" : "s"}`;
  const text = cut.length === 0 ? shown : shown.slice(0, shown.lastIndexOf("\n", MAX_DIFF_CHARS));
  return success([first, ...lines, ...(text === "" ? [] : [text]), ...cut].join("\n"), { data: { changes } });
}

/** Patches a file: as it was planned, if its contents are still the same. */
type PatchFile = (change: Omit<PatchRequest, "firstLine">) => Patched;

/** Patches files before anything is written, in threads where that would block the event loop. */
async function plannedPatches(
  changes: readonly PatchChange[],
  context: WorktreeContext,
  threads: ThreadPool,
  { signal, firstLine }: { readonly signal: AbortSignal; readonly firstLine: FirstLine },
): Promise<PatchFile> {
  const made: { readonly request: PatchRequest; readonly result: Patched }[] = [];
  const contents = new Map<string, Buffer>();
  const slice = new TimeSlice();
  for (const change of changes) {
    if (change.kind !== "update") continue;
    const { path, hunks } = change;
    const now = contents.get(path) ?? (await contentsOf(context, path));
    if (now === undefined) continue;
    const request: PatchRequest = { attempt: attemptOn("patch", path), path, now, hunks, firstLine };
    const result = isQuickPatch(request) ? patched(request) : await threads.run("patched", request, signal);
    const bytes = asBuffer(result.bytes);
    made.push({ request, result: { ...result, bytes } });
    contents.set(path, bytes);
    await slice.pause(signal);
  }
  return (change) => {
    const plan = made.find(({ request: { path, now } }) => path === change.path && now.equals(change.now));
    if (plan !== undefined) return plan.result;
    const request = { ...change, firstLine };
    if (isQuickPatch(request)) return patched(request);
    throw new SandboxError(`${change.attempt}: it was changed meanwhile, try again`, { code: "unstable_path" });
  };
}

/** The contents of a file, if it is there and may be patched: otherwise the change itself says why not. */
async function contentsOf(context: WorktreeContext, path: string): Promise<Buffer | undefined> {
  try {
    return await readInTree(context, { verb: "patch", path }, (sandbox) =>
      withOpenFile(sandbox, path, ({ fd, size }) => (size > MAX_EDIT_BYTES ? undefined : fs.readFileSync(fd))),
    );
  } catch (error) {
    if (error instanceof FilesError) return undefined;
    throw error;
  }
}

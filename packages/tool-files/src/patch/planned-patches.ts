import fs from "node:fs";
import { FilesError, SandboxError } from "../error/files-error.ts";
import { readInTree } from "../file-system/work-in-tree.ts";
import { attemptOn } from "../sandbox/path-segments.ts";
import type { WorktreeContext } from "../sandbox/worktree-context.ts";
import { asBuffer } from "../text/as-buffer.ts";
import type { FirstLine } from "../text/line-numbers.ts";
import type { ThreadPool } from "../thread/thread-pool.ts";
import { TimeSlice } from "../thread/time-slice.ts";
import { MAX_EDIT_BYTES } from "../version/content-version.ts";
import { isQuickPatch, patched, type Patched, type PatchRequest } from "./make-patch.ts";
import type { PatchChange } from "./parse-patch.ts";

/** Patches a file: as it was planned, if its contents are still the same. */
export type PatchFile = (change: Omit<PatchRequest, "firstLine">) => Patched;

/** Patches files before anything is written, in threads where that would block the event loop. */
export async function plannedPatches(
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
    return await readInTree(context, { verb: "patch", path }, (sandbox) => {
      const file = sandbox.openFile(path);
      try {
        return file.size > MAX_EDIT_BYTES ? undefined : fs.readFileSync(file.fd);
      } finally {
        file.close();
      }
    });
  } catch (error) {
    if (error instanceof FilesError) return undefined;
    throw error;
  }
}

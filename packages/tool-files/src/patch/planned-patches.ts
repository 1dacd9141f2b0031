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

/** Files that are patched before anything is written, in a thread where that takes long. */
export class PlannedPatches {
  readonly #firstLine: FirstLine;
  readonly #made: { readonly request: PatchRequest; readonly patched: Patched }[] = [];

  private constructor(firstLine: FirstLine) {
    this.#firstLine = firstLine;
  }

  /** Applies patches in threads if they would block the event loop. */
  static async plan(
    changes: readonly PatchChange[],
    context: WorktreeContext,
    threads: ThreadPool,
    { signal, firstLine }: { readonly signal: AbortSignal; readonly firstLine: FirstLine },
  ): Promise<PlannedPatches> {
    const planned = new PlannedPatches(firstLine);
    const contents = new Map<string, Buffer>();
    const slice = new TimeSlice();
    for (const change of changes) {
      if (change.kind !== "update") continue;
      const { path, hunks } = change;
      const attempt = attemptOn("patch", path);
      const now = contents.get(path) ?? (await contentsOf(context, path));
      if (now === undefined) continue;
      const request: PatchRequest = { attempt, path, now, hunks, firstLine };
      const made = isQuickPatch(request) ? patched(request) : await threads.run("patched", request, signal);
      const bytes = asBuffer(made.bytes);
      planned.#made.push({ request, patched: { ...made, bytes } });
      contents.set(path, bytes);
      await slice.pause(signal);
    }
    return planned;
  }

  /** The planned result for these contents of a file, or one computed at once. */
  patch(change: Omit<PatchRequest, "firstLine">): Patched {
    const request = { ...change, firstLine: this.#firstLine };
    const plan = this.#made.find(({ request: { path, now } }) => path === request.path && now.equals(request.now));
    if (plan !== undefined) return plan.patched;
    if (isQuickPatch(request)) return patched(request);
    throw new SandboxError(`${request.attempt}: it was changed meanwhile, try again`, { code: "unstable_path" });
  }
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

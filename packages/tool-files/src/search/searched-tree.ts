import { listThreads } from "../list/list-threads.ts";
import { orderedFiles, type OrderedFiles, type OrderedFilesRequest } from "../list/ordered-files.ts";
import { QUICK_INDEX } from "../list/tracked-files.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { SearchRequest } from "./search-request.ts";

/** Limits of a listing on the main thread. Larger ones run in a worker thread. */
const QUICK = { ...QUICK_INDEX, maxEntries: 4000, timeoutMs: 30, maxDirectoryBytes: 128 * 1024, maxIgnoreChars: 8192 };
/** Fewest files of a quick listing that are searched before a thread lists more. */
const MIN_QUICK_FILES = 32;

/**
 * The next files that a request is to search, as `list_files` lists them, without links. Unless `quickly`, or when there is
 * much to look at, they are listed in a thread.
 */
export async function nextFiles(
  sandbox: Sandbox,
  worktreePath: string,
  { scope, attempt }: SearchRequest,
  place: Pick<OrderedFilesRequest, "after" | "maxFiles">,
  { signal, quickly }: { readonly signal: AbortSignal; readonly quickly: boolean },
): Promise<OrderedFiles> {
  const request: OrderedFilesRequest = { ...scope, ...place, links: false, attempt };
  if (quickly) {
    const quick = orderedFiles(sandbox, request, QUICK);
    if (!quick.stopped || quick.files.length >= MIN_QUICK_FILES) return quick;
  }
  const { workingDirectory, strength } = sandbox;
  return listThreads.run("orderedFiles", { worktree: { workingDirectory, worktreePath, strength }, request }, signal);
}

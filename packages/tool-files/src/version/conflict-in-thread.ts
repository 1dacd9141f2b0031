import { FilesError } from "../error/files-error.ts";
import { ThreadPool } from "../thread/thread-pool.ts";
import type { ConflictWork } from "./answer-conflict.ts";
import { versionConflict, type ChangedFile } from "./version-conflict.ts";

/** Bytes of both versions whose differences are found while nothing else is done. */
const MAX_QUICK_BYTES = 16 * 1024;

const threads = new ThreadPool<ConflictWork, string>({
  program: async () => new URL("./conflict-worker.ts", import.meta.url),
  maxThreads: 1,
});

/** {@link versionConflict}, in a thread when the contents are long: to compare them may take a second. */
export async function conflictInThread(attempt: string, file: ChangedFile, signal: AbortSignal): Promise<FilesError> {
  const { now, base } = file;
  if (now === undefined || base === undefined || now.length + base.length <= MAX_QUICK_BYTES)
    return versionConflict(attempt, file, "");
  return new FilesError(await threads.run({ attempt, file }, signal), { code: "version_conflict" });
}

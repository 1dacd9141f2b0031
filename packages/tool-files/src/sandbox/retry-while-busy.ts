import { setTimeout } from "node:timers/promises";
import { FilesError } from "../error/files-error.ts";

/** Milliseconds for which a write is retried while other processes write the same file. */
const BUSY_TIMEOUT_MS = 10_000;
/** Longest wait between two attempts, in milliseconds. */
const MAX_PAUSE_MS = 20;

/**
 * Runs a write, and retries it after a short random wait while other processes write the same file (`unstable_path`), for up
 * to 10 s. `signal` ends the retries.
 */
export async function retryWhileBusy<T>(act: () => T, signal: AbortSignal): Promise<Awaited<T>> {
  let deadline: number | undefined;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof FilesError) || error.code !== "unstable_path" || signal.aborted) throw error;
      deadline ??= performance.now() + BUSY_TIMEOUT_MS;
      if (performance.now() > deadline) throw error;
      await setTimeout(1 + Math.random() * MAX_PAUSE_MS);
    }
  }
}

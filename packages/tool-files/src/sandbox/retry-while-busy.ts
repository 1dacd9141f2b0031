import { setTimeout } from "node:timers/promises";
import { FilesError } from "../error/files-error.ts";

/** Milliseconds for which a write is retried while other processes write the same file. */
const BUSY_TIMEOUT_MS = 10_000;
/** Longest wait between two attempts, in milliseconds. */
const MAX_PAUSE_MS = 20;

/**
 * Runs a write, and retries it after a short random wait while other processes write the same file (`unstable_path`), for up
 * to 10 s. Returns without a promise when the first attempt ends the matter. `signal` ends the retries.
 */
export function retryWhileBusy<T>(act: () => T | Promise<T>, signal: () => AbortSignal): T | Promise<T> {
  const again = (error: unknown) => later(act, signal(), error, performance.now() + BUSY_TIMEOUT_MS);
  try {
    const result = act();
    return result instanceof Promise ? result.catch(again) : result;
  } catch (error) {
    return again(error);
  }
}

async function later<T>(act: () => T | Promise<T>, signal: AbortSignal, first: unknown, deadline: number): Promise<T> {
  let error = first;
  for (;;) {
    if (!(error instanceof FilesError) || error.code !== "unstable_path") throw error;
    if (signal.aborted || performance.now() > deadline) throw error;
    await setTimeout(1 + Math.random() * MAX_PAUSE_MS);
    try {
      return await act();
    } catch (next) {
      error = next;
    }
  }
}

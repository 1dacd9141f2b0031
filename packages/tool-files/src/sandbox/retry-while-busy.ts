import { setTimeout } from "node:timers/promises";
import { FilesError } from "../error/files-error.ts";

/** How long a write that others keep coming before is tried again, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;
/** Longest wait between two tries, in milliseconds. */
const MAX_PAUSE_MS = 20;

/**
 * Does a write, again after a short wait when other processes write the same file all the time (`unstable_path`). At once,
 * and without a promise, when none does. `signal` ends the waiting.
 */
export function retryWhileBusy<T>(act: () => T, signal: () => AbortSignal): T | Promise<T> {
  try {
    return act();
  } catch (error) {
    return later(act, signal(), error, performance.now() + BUSY_TIMEOUT_MS);
  }
}

async function later<T>(act: () => T, signal: AbortSignal, first: unknown, deadline: number): Promise<T> {
  let error = first;
  for (;;) {
    if (!(error instanceof FilesError) || error.code !== "unstable_path") throw error;
    if (signal.aborted || performance.now() > deadline) throw error;
    await setTimeout(1 + Math.random() * MAX_PAUSE_MS);
    try {
      return act();
    } catch (next) {
      error = next;
    }
  }
}

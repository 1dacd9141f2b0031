import { withTimeout } from "../wait/with-timeout.ts";
import type { Transcript, TranscriptEntry } from "./transcript.ts";

/** How long a transcript may take to append an entry or to find one, in milliseconds, unless the caller sets it. */
export const TRANSCRIPT_TIMEOUT_MS = 10_000;

/**
 * Appends an entry to the transcript. Returns a promise only if `append` does, which settles within `timeoutMs`.
 *
 * @throws The transcript's error, or an `Error` when it takes too long.
 */
export function recordEntry(
  transcript: Pick<Transcript, "append">,
  entry: TranscriptEntry,
  timeoutMs: number = TRANSCRIPT_TIMEOUT_MS,
): Promise<void> | undefined {
  const pending = transcript.append(entry);
  return pending === undefined ? undefined : settledInTime(pending, timeoutMs, "transcript.append");
}

/** Settles as `pending` does. Rejects with an `Error` that names `operation` when that takes too long. */
export function settledInTime<T>(pending: PromiseLike<T>, timeoutMs: number, operation: string): Promise<T> {
  const tooLate = new Error(`${operation} did not settle within ${timeoutMs} ms`);
  return withTimeout(pending, { timeoutMs }, () => Promise.reject(tooLate));
}

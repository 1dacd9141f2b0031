import { withTimeout } from "../wait/with-timeout.ts";
import type { Transcript, TranscriptEntry } from "./transcript.ts";

/** How long a transcript may take over an entry, in milliseconds, before nobody waits for it any more. */
export const APPEND_TIMEOUT_MS = 10_000;

/**
 * Appends an entry. Waits only for a transcript that says that it needs time, and not for ever.
 *
 * @throws Whatever the transcript does, and an `Error` when it takes too long.
 */
export async function recordEntry(
  transcript: Transcript,
  entry: TranscriptEntry,
  timeoutMs: number = APPEND_TIMEOUT_MS,
): Promise<void> {
  const pending = transcript.append(entry);
  if (pending !== undefined) await withTimeout(pending, timeoutMs, "transcript.append");
}

import type { TranscriptEntry } from "@dispatch/tools-interface";
import { canonicalText, hadNoEffects } from "@dispatch/tools-interface/internal";
import type { DurableTranscript } from "./durable-engine.ts";
import { isOpen } from "./recorded-result.ts";

/**
 * A session's transcript. An outcome that its writer did not know is not found, unless another entry of the call knows it: the record of the
 * call answers instead, because a person may since have recorded the outcome.
 */
export function sessionTranscript(transcript: DurableTranscript | undefined): DurableTranscript | undefined {
  if (transcript === undefined) return undefined;
  return {
    append: (entry) => transcript.append(entry),
    entries: async () => knownEntries(await transcript.entries()),
    async find(callId, turn) {
      const entry = await transcript.find(callId, turn);
      return entry !== undefined && isOpen(entry.result) ? knownTwin(entry, await transcript.entries()) : entry;
    },
  };
}

/**
 * The entries without those of an unknown outcome, where another one of the same call has its outcome. Both are written
 * when a process runs a tool to its end but cannot record that in time, and another process takes the call over; or when a
 * process waits for a call of another one and is cancelled.
 */
function knownEntries(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  if (!entries.some(({ result }) => isOpen(result))) return entries;
  const known = new Set(entries.filter(hasOutcome).map(callOf));
  return entries.filter((entry) => !isOpen(entry.result) || !known.has(callOf(entry)));
}

/** The last entry with the outcome of the call of an entry. */
function knownTwin(entry: TranscriptEntry, entries: readonly TranscriptEntry[]): TranscriptEntry | undefined {
  const call = callOf(entry);
  return entries.findLast((other) => hasOutcome(other) && callOf(other) === call);
}

/** Whether an entry tells what its call did. A process that did not see the end of its tool, such as after a timeout, knows no more than others. */
function hasOutcome({ result }: TranscriptEntry): boolean {
  const isEnded = result.success || result.stopped !== false;
  return isEnded && !isOpen(result) && !hadNoEffects(result);
}

/** The same for all entries of one call. */
function callOf({ callId, turn, parentCallId, name, arguments: sent }: TranscriptEntry): string {
  return canonicalText([callId, turn ?? null, parentCallId ?? null, name, sent ?? null]);
}

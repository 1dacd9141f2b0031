import type { TranscriptEntry } from "@dispatch/tools-interface";
import { canonicalText, hadNoEffects } from "@dispatch/tools-interface/internal";
import { isOpen } from "./recorded-result.ts";

/**
 * The entries without those of an unknown outcome, where another one of the same call has its outcome. Both are written
 * when a process runs a tool to its end but cannot record that in time, and another process takes the call over; or when a
 * process waits for a call of another one and is cancelled.
 */
export function knownEntries(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  if (!entries.some(({ result }) => isOpen(result))) return entries;
  const known = new Set(entries.filter(hasOutcome).map(callOf));
  return entries.filter((entry) => !isOpen(entry.result) || !known.has(callOf(entry)));
}

/** The last entry with the outcome of the call of an entry. */
export function knownTwin(entry: TranscriptEntry, entries: readonly TranscriptEntry[]): TranscriptEntry | undefined {
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

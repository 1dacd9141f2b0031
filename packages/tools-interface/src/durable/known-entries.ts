import { canonicalText } from "../json/canonical-text.ts";
import { hadNoEffects } from "../transcript/recorded-result.ts";
import type { TranscriptEntry } from "../transcript/transcript.ts";

/** True for the entry of a call whose outcome nobody knew when it was written. */
export function saysUnknown({ result }: TranscriptEntry): boolean {
  return !result.success && result.code === "outcome_unknown";
}

/**
 * The entries without those of an unknown outcome, where another one of the same call has its outcome. Both are written
 * when a process runs a tool to its end but cannot record that in time, and another process takes the call over.
 */
export function knownEntries(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  if (!entries.some(saysUnknown)) return entries;
  const known = new Set(entries.filter((entry) => !saysUnknown(entry) && !hadNoEffects(entry.result)).map(callOf));
  return entries.filter((entry) => !saysUnknown(entry) || !known.has(callOf(entry)));
}

/** The known outcome of the call of an entry, if one of the entries has it. */
export function knownTwin(entry: TranscriptEntry, entries: readonly TranscriptEntry[]): TranscriptEntry | undefined {
  const call = callOf(entry);
  return entries.findLast((other) => !saysUnknown(other) && !hadNoEffects(other.result) && callOf(other) === call);
}

/** The same for all entries of one call. */
function callOf({ callId, turn, parentCallId, name, arguments: sent }: TranscriptEntry): string {
  return canonicalText([callId, turn ?? null, parentCallId ?? null, name, sent ?? null]);
}

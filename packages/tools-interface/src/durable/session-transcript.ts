import type { DurableTranscript } from "./durable-engine.ts";

/**
 * A session's transcript. An unknown outcome is not found: the record of the call answers instead, because a person may
 * since have recorded the outcome.
 */
export function sessionTranscript(transcript: DurableTranscript | undefined): DurableTranscript | undefined {
  if (transcript === undefined) return undefined;
  return {
    append: (entry) => transcript.append(entry),
    entries: () => transcript.entries(),
    async find(callId, turn) {
      const entry = await transcript.find(callId, turn);
      const isUnknown = entry?.result.success === false && entry.result.code === "outcome_unknown";
      return isUnknown ? undefined : entry;
    },
  };
}

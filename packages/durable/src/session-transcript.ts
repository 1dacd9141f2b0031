import type { DurableTranscript } from "./durable-engine.ts";
import { knownEntries, knownTwin } from "./known-entries.ts";
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

import { createTranscript } from "../transcript/transcript.ts";
import type { DurableTranscript } from "./durable-engine.ts";
import { entryDigest } from "./entry-digest.ts";

/** A transcript in memory that, as those of databases do, keeps an entry that says the same of the same call once. */
export function memoryTranscript(): DurableTranscript {
  const transcript = createTranscript();
  const seen = new Set<string>();
  return {
    append(entry) {
      const digest = entryDigest(entry);
      if (!seen.has(digest)) void transcript.append(entry);
      seen.add(digest);
    },
    find: async (callId, turn) => transcript.find(callId, turn),
    entries: async () => transcript.entries,
  };
}

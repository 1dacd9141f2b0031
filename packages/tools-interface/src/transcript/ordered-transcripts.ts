import { TRANSCRIPT_TIMEOUT_MS, recordEntry } from "./record-entry.ts";
import type { Transcript, TranscriptEntry } from "./transcript.ts";

/** The transcript of one call among several. */
interface OrderedTranscript extends Transcript {
  /** Ends the call, recorded or not, so that later entries do not wait for it. */
  end(): void;
}

/** Transcripts for several calls that are recorded in the order of the calls. */
export interface OrderedTranscripts {
  /** One for each call, in the order of the calls. */
  readonly transcripts: readonly OrderedTranscript[];
  /** Resolves when the transcript has received every appended entry. Never rejects. */
  recorded(): Promise<unknown>;
}

/**
 * Records several calls in their order, regardless of the order in which they finish. An entry waits for the entries of
 * earlier calls; no call waits for its entry.
 *
 * @param onError Called when the transcript rejects an entry or does not settle in time.
 */
export function orderedTranscripts(
  transcript: Transcript,
  { calls, timeoutMs = TRANSCRIPT_TIMEOUT_MS }: { readonly calls: number; readonly timeoutMs: number | undefined },
  onError: (entry: TranscriptEntry, error: unknown) => void,
): OrderedTranscripts {
  const arrivals = Array.from({ length: calls }, entryResolvers);
  const recording = (async () => {
    // A transcript that hangs uses up its timeout once, not once a call.
    let remainingMs = timeoutMs;
    for (const arrival of arrivals) {
      const entry = await arrival.promise;
      if (entry === undefined) continue;
      const started = performance.now();
      try {
        await recordEntry(transcript, entry, remainingMs);
      } catch (error) {
        if (performance.now() - started >= remainingMs) remainingMs = 0;
        onError(entry, error);
      }
    }
  })();
  return {
    transcripts: arrivals.map(({ resolve }) => ({ append: resolve, end: () => resolve(undefined) })),
    recorded: () => recording,
  };
}

/** `Promise.withResolvers`, which Node 20 does not have. */
function entryResolvers(): {
  promise: Promise<TranscriptEntry | undefined>;
  resolve: (entry: TranscriptEntry | undefined) => void;
} {
  let resolve!: (entry: TranscriptEntry | undefined) => void;
  const promise = new Promise<TranscriptEntry | undefined>((settle) => (resolve = settle));
  return { promise, resolve };
}

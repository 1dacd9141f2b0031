import { APPEND_TIMEOUT_MS, recordEntry } from "./record-entry.ts";
import type { Transcript, TranscriptEntry } from "./transcript.ts";

/** The transcript of one of several calls, and how to say that nothing more comes for it. */
interface OrderedTranscript {
  /** Where the call is recorded. */
  readonly transcript: Transcript;
  /** The call has ended, recorded or not: those behind it need not wait for it. */
  end(): void;
}

/** Transcripts for several calls, and the moment when all of them are recorded. */
export interface OrderedTranscripts {
  /** One for each call, in the order of the calls. */
  readonly transcripts: readonly OrderedTranscript[];
  /** Resolves when every entry that was appended has been passed on. Never rejects. */
  recorded(): Promise<unknown>;
}

/**
 * Records several calls in their order, however they finish: an entry waits until all calls before it have theirs, but
 * no call waits for its entry. Entries of nested calls go straight through.
 *
 * @param onError Hears of an entry that the transcript refused or took too long over.
 */
export function orderedTranscripts(
  transcript: Transcript,
  { calls, timeoutMs = APPEND_TIMEOUT_MS }: { readonly calls: number; readonly timeoutMs: number | undefined },
  onError: (entry: TranscriptEntry, error: unknown) => void,
): OrderedTranscripts {
  const arrivals = Array.from({ length: calls }, withResolvers);
  const recording = (async () => {
    // A transcript that is stuck is waited for once, not once a call.
    let patience = timeoutMs;
    for (const arrival of arrivals) {
      const entry = await arrival.promise;
      if (entry === undefined) continue;
      const started = performance.now();
      try {
        await recordEntry(transcript, entry, patience);
      } catch (error) {
        if (performance.now() - started >= patience) patience = 0;
        onError(entry, error);
      }
    }
  })();
  const find = transcript.find?.bind(transcript);
  return {
    transcripts: arrivals.map((arrival) => ({
      transcript: {
        append: (entry) => (entry.parentCallId === undefined ? arrival.resolve(entry) : transcript.append(entry)),
        ...(find && { find }),
      },
      end: () => arrival.resolve(undefined),
    })),
    recorded: () => recording,
  };
}

/** `Promise.withResolvers`, which Node 20 does not have. */
function withResolvers(): {
  promise: Promise<TranscriptEntry | undefined>;
  resolve: (entry: TranscriptEntry | undefined) => void;
} {
  let resolve!: (entry: TranscriptEntry | undefined) => void;
  const promise = new Promise<TranscriptEntry | undefined>((settle) => (resolve = settle));
  return { promise, resolve };
}

import { readCall, type ToolCall } from "./tool-call.ts";
import type { ToolResult } from "./tool-result.ts";
import type { AnyTool } from "./tool.ts";
import type { Transcript, TranscriptEntry } from "./transcript.ts";

/** How many calls run at the same time unless the caller says otherwise. */
export const DEFAULT_CONCURRENCY = 8;

/**
 * Runs calls so that nothing a model could not foresee happens: calls of read-only tools that stand next to each
 * other run at the same time, any other call runs alone, after what stands before it and before what stands after it.
 */
export async function dispatchInOrder(
  tools: ReadonlyMap<string, AnyTool>,
  calls: readonly ToolCall[],
  maxConcurrency: number,
  run: (call: ToolCall, index: number) => Promise<ToolResult>,
): Promise<readonly ToolResult[]> {
  const results: Promise<ToolResult>[] = [];
  // Also for NaN: waiting for a place among none would never end.
  const places = maxConcurrency >= 1 ? maxConcurrency : 1;
  const running = new Set<Promise<unknown>>();
  for (const [index, call] of calls.entries()) {
    const parallel = tools.get(readCall(call).name)?.annotations.readOnly === true;
    if (!parallel) await Promise.all(running);
    else if (running.size >= places) await Promise.race(running);
    const result = run(call, index);
    results.push(result);
    const tracked = result.finally(() => running.delete(tracked));
    running.add(tracked);
    if (!parallel) await tracked;
  }
  return Promise.all(results);
}

/** A transcript for each of several calls, and the moment when all of them are recorded. */
export interface OrderedTranscripts {
  /** One for each call, in the order of the calls. */
  readonly transcripts: readonly Transcript[];
  /** Resolves when every entry that was appended has been passed on. Never rejects. */
  recorded(): Promise<unknown>;
}

/**
 * Records several calls in their order, however they finish: an entry waits until all calls before it have theirs, but
 * no call waits for its entry. Entries of nested calls go straight through.
 *
 * @param onError Hears of an entry that the transcript refused.
 */
export function inCallOrder(
  transcript: Transcript,
  calls: number,
  onError: (entry: TranscriptEntry, error: unknown) => void,
): OrderedTranscripts {
  const arrivals = Array.from({ length: calls }, makeArrival);
  const recording = (async () => {
    for (const arrival of arrivals) {
      const entry = await arrival.promise;
      try {
        await transcript.append(entry);
      } catch (error) {
        onError(entry, error);
      }
    }
  })();
  return {
    transcripts: arrivals.map((arrival) => ({
      append: (entry) => (entry.parentCallId === undefined ? arrival.resolve(entry) : transcript.append(entry)),
    })),
    recorded: () => recording,
  };
}

/** `Promise.withResolvers`, which Node 20 does not have. */
function makeArrival(): { promise: Promise<TranscriptEntry>; resolve: (entry: TranscriptEntry) => void } {
  let resolve!: (entry: TranscriptEntry) => void;
  const promise = new Promise<TranscriptEntry>((settle) => (resolve = settle));
  return { promise, resolve };
}

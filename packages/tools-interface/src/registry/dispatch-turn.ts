import { nextTurn } from "../call/calls-in-flight.ts";
import { readHostOptions } from "../call/host-options.ts";
import { parseParams, readCall, type SentCall, type ToolCall } from "../call/parse-call.ts";
import type { AnyTool } from "../call/tool.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { dispatchCall } from "../run-call.ts";
import type { TranscriptEntry } from "../transcript/transcript-entry.ts";
import { recordEntry, TRANSCRIPT_TIMEOUT_MS, nextSequence, type Transcript } from "../transcript/transcript.ts";
import { Semaphore } from "../wait/semaphore.ts";
import type { DispatchAllOptions } from "./dispatch-options.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { type CallAccess, ResourceOrder } from "./resource-order.ts";
import { notify } from "./tool-event.ts";

/** Runs the calls of one turn; see `ToolRegistry.dispatchAll`. Never rejects. */
export async function dispatchTurn(
  dispatcher: Dispatcher,
  given: readonly ToolCall[],
  options: DispatchAllOptions,
): Promise<readonly ToolResult[]> {
  const fault = isNaming
    ? "a function `resource` made it, which may only name keys. This is a fault of the tool"
    : undefined;
  const turn = nextTurn();
  if (turn !== undefined) await turn;
  const checked = readHostOptions(options, "dispatch");
  const { maxConcurrency = DEFAULT_CONCURRENCY, transcript, onEvent, recordTimeoutMs } = checked;
  // Not `map`, which skips holes: each of them is a call that has no name.
  const calls = Array.from<unknown>(Array.isArray(given) ? given : [given])
    .map(readCall)
    .map((call) => (fault === undefined ? call : { ...call, fault }));
  // In the order of the calls, whenever each of them can start.
  const sequences = calls.map(nextSequence);
  const ordered =
    transcript &&
    orderedTranscripts(transcript, { calls: calls.length, timeoutMs: recordTimeoutMs }, ({ callId, name }, error) =>
      notify(onEvent, { type: "transcript-error", callId, parentCallId: undefined, name, error }),
    );
  const results = await dispatchInOrder(dispatcher.find, calls, maxConcurrency, (call, index) => {
    // Entries of nested calls are appended to the transcript itself, at once.
    const own = ordered?.transcripts[index];
    const result = dispatchCall(dispatcher, call, checked, { sequence: sequences[index], recorder: own });
    return own === undefined ? result : result.finally(() => own.end());
  });
  await ordered?.recorded();
  return results;
}

/** Default of `maxConcurrency`: how many calls of one `dispatchAll` run at the same time. */
const DEFAULT_CONCURRENCY = 8;

/**
 * Runs calls concurrently as far as their tools declare nothing against it. A call waits for every earlier call that
 * touches the same resource, unless both only read, and for a permit of the semaphore. A call of a tool that declares
 * changes and no resource waits for all earlier calls, and all later ones for it.
 */
function dispatchInOrder(
  find: (name: string) => AnyTool | undefined,
  calls: readonly SentCall[],
  maxConcurrency: number,
  run: (call: SentCall, index: number) => Promise<ToolResult>,
): Promise<readonly ToolResult[]> {
  const semaphore = new Semaphore(maxConcurrency);
  const order = new ResourceOrder();
  // All at once, before the first call runs: a resource is the one that the call named when it arrived.
  const accesses = calls.map((call) => accessOf(call, find));
  return Promise.all(
    calls.map((call, index) => order.after(accesses[index] as CallAccess, () => semaphore.run(() => run(call, index)))),
  );
}

/** A resource that no call writes: a call that reads it waits for nothing but calls that run alone. */
const NOTHING_SHARED: CallAccess = { reads: true, resources: ["\0nothing shared"] };

/** Whether a tool is naming the resources of a call: those that it made meanwhile would ask it again, without end. */
let isNaming = false;

function accessOf({ name, sent, fault }: SentCall, find: (name: string) => AnyTool | undefined): CallAccess {
  const tool = find(name);
  if (tool === undefined || fault !== undefined) return { reads: true, resources: [] };
  const { readOnly: reads = false } = tool.annotations;
  if (!reads && tool.declaresChanges === false) return NOTHING_SHARED;
  const parsed = parseParams(sent, tool);
  if (parsed.error !== undefined || parsed.repairs !== undefined) return { reads, resources: undefined };
  isNaming = true;
  try {
    return { reads, resources: tool.resources(parsed.params) };
  } finally {
    isNaming = false;
  }
}

/** The transcript of one call among several. */
interface OrderedTranscript extends Transcript {
  /** Ends the call, recorded or not, so that later entries do not wait for it. */
  end(): void;
}

/** Transcripts for several calls that are recorded in the order of the calls. */
interface OrderedTranscripts {
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
function orderedTranscripts(
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

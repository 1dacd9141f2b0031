import { endOfTurn, nextTurn } from "../call/calls-in-flight.ts";
import { readHostOptions } from "../call/host-options.ts";
import { parseParams, readCall, type SentCall, type ToolCall } from "../call/parse-call.ts";
import type { AnyTool } from "../call/tool.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { dispatchCall } from "../run-call.ts";
import type { TranscriptEntry } from "../transcript/transcript-entry.ts";
import { nextSequence, recordEntry, type Transcript, TRANSCRIPT_TIMEOUT_MS } from "../transcript/transcript.ts";
import { Semaphore } from "../wait/semaphore.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { DispatchAllOptions } from "./registry-options.ts";
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
    recordInOrder(transcript, calls.length, recordTimeoutMs, ({ callId, name }, error) =>
      notify(onEvent, { type: "transcript-error", callId, parentCallId: undefined, name, error }),
    );
  const results = await dispatchInOrder(dispatcher.find, calls, maxConcurrency, (call, index) => {
    // Entries of nested calls are appended to the transcript itself, at once.
    const append = ordered?.appends[index];
    const recorder = append && { append };
    const result = dispatchCall(dispatcher, call, checked, { sequence: sequences[index], recorder });
    // Recorded or not: later entries do not wait for it any more.
    return append === undefined ? result : result.finally(() => append(undefined));
  });
  await ordered?.recorded;
  return results;
}

/** Default of `maxConcurrency`: how many calls of one `dispatchAll` run at the same time. */
const DEFAULT_CONCURRENCY = 8;

/**
 * Runs calls concurrently as far as their tools declare nothing against it. A call waits for every earlier call that
 * touches the same resource, unless both only read, and for a permit of the semaphore. A call of a tool that declares
 * changes and no resource waits for all earlier calls, and all later ones for it.
 */
async function dispatchInOrder(
  find: (name: string) => AnyTool | undefined,
  calls: readonly SentCall[],
  maxConcurrency: number,
  run: (call: SentCall, index: number) => Promise<ToolResult>,
): Promise<readonly ToolResult[]> {
  const semaphore = new Semaphore(maxConcurrency);
  const order = new ResourceOrder();
  // All, before the first call runs: a resource is the one that the call named when it arrived.
  const accesses: CallAccess[] = [];
  for (const call of calls) {
    if (accesses.push(accessOf(call, find)) % CALLS_A_TURN === 0) await endOfTurn();
  }
  const results: Promise<ToolResult>[] = [];
  for (const [index, access] of accesses.entries()) {
    const call = calls[index] as SentCall;
    if (results.push(order.after(access, () => semaphore.run(() => run(call, index)))) % CALLS_A_TURN === 0)
      await endOfTurn();
  }
  return Promise.all(results);
}

/** How many calls are put in order in one turn of the event loop. */
const CALLS_A_TURN = 1_000;

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

/**
 * Records several calls in their order, regardless of the order in which they finish. An entry waits for the entries of
 * earlier calls; no call waits for its entry. `recorded` resolves when the transcript has received every entry.
 *
 * @param onError Called when the transcript rejects an entry or does not settle in time.
 */
function recordInOrder(
  transcript: Transcript,
  calls: number,
  timeoutMs: number = TRANSCRIPT_TIMEOUT_MS,
  onError: (entry: TranscriptEntry, error: unknown) => void,
): { readonly appends: readonly ReturnType<typeof entryResolvers>["resolve"][]; readonly recorded: Promise<void> } {
  const arrivals = Array.from({ length: calls }, entryResolvers);
  const recorded = (async () => {
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
  return { appends: arrivals.map(({ resolve }) => resolve), recorded };
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

/** Which resources a call touches, and how. */
interface CallAccess {
  /** The call only reads. */
  readonly reads: boolean;
  /** The resources it touches; `undefined` when it may touch any. */
  readonly resources: readonly string[] | undefined;
}

type Ended = Promise<unknown>;

/**
 * Ended calls that later ones wait for, joined when somebody has to wait: so that a call that waits for a thousand others
 * costs a thousand steps once, and not each call after it again.
 */
class Pending {
  #joined: Ended | undefined;
  #added: Ended[] = [];

  add(call: Ended): void {
    this.#added.push(call);
  }

  collect(into: Ended[]): void {
    if (this.#added.length > 0) {
      this.#joined = Promise.all(this.#joined === undefined ? this.#added : [this.#joined, ...this.#added]);
      this.#added = [];
    }
    if (this.#joined !== undefined) into.push(this.#joined);
  }

  clear(): void {
    this.#joined = undefined;
    this.#added = [];
  }
}

/** The reads of one resource since it was last written, and that write. */
interface ResourceState {
  readonly reads: Pending;
  write: Ended | undefined;
}

/**
 * Orders parallel calls: a readers and writer lock over resources, for calls in their order of arrival. Each call waits for
 * the earlier ones that it conflicts with. Takes time in proportion to the number of calls and of the resources they name.
 */
class ResourceOrder {
  readonly #resources = new Map<string, ResourceState>();
  /** The last call that may have written anything, for which all later ones wait. */
  #barrier: Ended | undefined;
  readonly #reads = new Pending();
  readonly #writes = new Pending();
  /** Reads that may be of anything. */
  readonly #openReads = new Pending();

  /** Starts the call once those before it have ended that touch the same, unless both only read. */
  after<T>({ reads, resources }: CallAccess, start: () => Promise<T>): Promise<T> {
    const before: Ended[] = [];
    if (resources?.length !== 0 && this.#barrier !== undefined) before.push(this.#barrier);
    if (resources === undefined) {
      this.#writes.collect(before);
      if (!reads) this.#reads.collect(before);
    } else if (resources.length > 0) {
      if (!reads) this.#openReads.collect(before);
      for (const resource of resources) this.#collect(resource, reads, before);
    }
    const call = (before.length === 0 ? Promise.resolve() : Promise.all(before)).then(start);
    this.#add({ reads, resources }, call);
    return call;
  }

  #collect(resource: string, reads: boolean, before: Ended[]): void {
    const state = this.#resources.get(resource);
    if (state?.write !== undefined) before.push(state.write);
    if (!reads) state?.reads.collect(before);
  }

  #add({ reads, resources }: CallAccess, call: Ended): void {
    if (resources === undefined && !reads) {
      this.#barrier = call;
      this.#resources.clear();
      for (const pending of [this.#reads, this.#writes, this.#openReads]) pending.clear();
      return;
    }
    if (resources?.length === 0) return;
    (reads ? this.#reads : this.#writes).add(call);
    if (resources === undefined) this.#openReads.add(call);
    for (const resource of resources ?? []) {
      let state = this.#resources.get(resource);
      if (state === undefined) this.#resources.set(resource, (state = { reads: new Pending(), write: undefined }));
      if (reads) state.reads.add(call);
      else {
        state.write = call;
        state.reads.clear();
      }
    }
  }
}

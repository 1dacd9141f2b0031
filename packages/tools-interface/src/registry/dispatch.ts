import type { ToolMiddleware } from "../call/middleware.ts";
import { makeCallId, parseParams, readCall, type SentCall, type ToolCall } from "../call/parse-call.ts";
import type { AnyTool, Approver, CallOptions, NestedDispatch, ToolProgress, WithContext } from "../call/tool.ts";
import { ToolNotFoundError } from "../error/tool-error.ts";
import { jsonOrReason } from "../json/json.ts";
import type { OutputKeeper } from "../result/limit-output.ts";
import { notStartedResult, thrownResult } from "../result/tool-output.ts";
import { copyResult, failure, withRepairs, type ToolResult } from "../result/tool-result.ts";
import { recordEntry } from "../transcript/record-entry.ts";
import { recordedResult } from "../transcript/recorded-result.ts";
import { nextSequence, type Transcript } from "../transcript/transcript.ts";
import { notify, type ToolObserver } from "./tool-event.ts";

/** Options of `dispatch` and `dispatchAll`. `context` is required as soon as one of the registry's tools needs one. */
export type DispatchOptions<Context = unknown> = {
  /** Where the call is recorded, with exactly one entry. Default: nowhere. */
  readonly transcript?: Transcript | undefined;
  /**
   * Whether a call that the transcript has under the same id, with the same name and arguments, is answered from there
   * instead of run again. Takes a transcript with `find`, such as `createTranscript()`. Turn it off for a provider that
   * gives different calls the same id. Default true.
   */
  readonly replay?: boolean | undefined;
  /** How long the transcript may take over one entry, in milliseconds, before nobody waits for it. Default 10,000. */
  readonly recordTimeoutMs?: number | undefined;
  /** Cancels the call. Already aborted: the tool does not start, and the call is recorded as cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** Answers for tools that need approval. Without it such calls are denied. */
  readonly approve?: Approver | undefined;
  /** How long `approve` may take, in milliseconds; then the call is denied. Default 600,000 (ten minutes). */
  readonly approvalTimeoutMs?: number | undefined;
  /** How many characters a model is shown of one result, at most; limits of tools and registry count too. Default theirs. */
  readonly maxOutputChars?: number | undefined;
  /** Hears what happens as it happens, nested calls included. */
  readonly onEvent?: ToolObserver | undefined;
} & WithContext<Context>;

type Options = DispatchOptions & { readonly context?: unknown };

/** What a registry runs calls with. */
export interface Dispatcher {
  /** Its tools by name. */
  readonly tools: ReadonlyMap<string, AnyTool>;
  /** Stands around the work of each. */
  readonly middleware: readonly ToolMiddleware[] | undefined;
  /** How many characters of a result a model is shown. */
  readonly maxOutputChars: number | undefined;
  /** Takes in what is cut. */
  readonly keepOutput: OutputKeeper | undefined;
}

/** Where a call stands among others. */
export interface CallPosition {
  /** The call during which it is made. */
  readonly parentCallId?: string | undefined;
  /** Its `sequence`, when that was given before it could start. */
  readonly sequence?: number | undefined;
}

const NO_POSITION: CallPosition = Object.freeze({});

/** Runs one call to its result and records it. Never throws or rejects. */
export function dispatchCall(
  dispatcher: Dispatcher,
  call: ToolCall,
  options: Options,
  place: CallPosition = NO_POSITION,
): Promise<ToolResult> {
  const read = readCall(call);
  return options.transcript === undefined && options.onEvent === undefined
    ? runCall(dispatcher, read, options, place.parentCallId)
    : observed(dispatcher, read, options, place);
}

async function observed(
  dispatcher: Dispatcher,
  call: SentCall,
  options: Options,
  { parentCallId, sequence = nextSequence() }: CallPosition,
): Promise<ToolResult> {
  const { transcript, onEvent, replay = true, recordTimeoutMs } = options;
  const { name, sent, id: callId = makeCallId() } = call;
  const of = { callId, parentCallId, name };
  let known: ToolResult | undefined;
  let unreadable: ToolResult | undefined;
  try {
    if (replay && call.id !== undefined)
      known = await (transcript && recordedResult(transcript, { id: callId, name, sent }));
  } catch (error) {
    notify(onEvent, { type: "transcript-error", ...of, error });
    unreadable = unreadableResult(name);
  }
  if (known !== undefined) {
    notify(onEvent, { type: "call-replayed", ...of, result: known });
    return known;
  }
  const started = performance.now();
  const startedAt = Date.now();
  notify(onEvent, { type: "call-start", ...of, arguments: sent });
  const result = unreadable ?? (await runCall(dispatcher, { id: callId, name, sent }, options, parentCallId));
  const durationMs = performance.now() - started;
  notify(onEvent, { type: "call-end", ...of, result, durationMs });
  if (transcript === undefined) return result;
  const parent = parentCallId === undefined ? undefined : { parentCallId };
  const kept = { callId, ...parent, name, arguments: jsonOrReason(sent), result: snapshot(result) };
  try {
    await recordEntry(transcript, { ...kept, startedAt, durationMs, sequence }, recordTimeoutMs);
  } catch (error) {
    notify(onEvent, { type: "transcript-error", ...of, error });
  }
  return result;
}

/** Not async itself: whoever waits, waits for the tool's own promise. */
function runCall(
  dispatcher: Dispatcher,
  call: SentCall,
  options: Options,
  parentCallId: string | undefined,
): Promise<ToolResult> {
  const { id, name, sent } = call;
  if (options.signal?.aborted) return Promise.resolve(notStartedResult(name));
  const tool = dispatcher.tools.get(name);
  if (tool === undefined) return Promise.resolve(unknownTool(name, dispatcher.tools));
  const parsed = typeof sent === "object" && sent !== null ? { params: sent } : parseParams(sent, tool);
  if (parsed.error !== undefined) {
    return Promise.resolve(failure(`Cannot call ${name}: ${parsed.error}`, { code: "invalid_call" }));
  }
  const { params, repairs } = parsed;
  try {
    const called = tool.call(params, new DispatchedCall(dispatcher, options, name, id, parentCallId));
    return repairs === undefined ? called : called.then((result) => withRepairs(result, repairs));
  } catch (thrown) {
    // No tool throws here, but something that stands in for one, such as a proxy around it, can.
    return Promise.resolve(thrownResult(name, thrown));
  }
}

/** The options of a tool's call, read from those of the dispatch when they are looked at: most never are. */
class DispatchedCall implements CallOptions {
  // `private` and not `#`, as in `Run`.
  readonly callId: string | undefined;
  readonly parentCallId: string | undefined;
  private readonly dispatcher: Dispatcher;
  private readonly options: Options;
  private readonly name: string;

  constructor(dispatcher: Dispatcher, options: Options, name: string, callId?: string, parentCallId?: string) {
    this.dispatcher = dispatcher;
    this.options = options;
    this.name = name;
    this.callId = callId;
    this.parentCallId = parentCallId;
  }

  get context(): object {
    return this.options.context as object;
  }

  get signal(): AbortSignal | undefined {
    return this.options.signal;
  }

  get approve(): Approver | undefined {
    return this.options.approve;
  }

  get approvalTimeoutMs(): number | undefined {
    return this.options.approvalTimeoutMs;
  }

  get middleware(): readonly ToolMiddleware[] | undefined {
    return this.dispatcher.middleware;
  }

  get maxOutputChars(): number | undefined {
    const { maxOutputChars: ofRegistry } = this.dispatcher;
    const { maxOutputChars: ofCall } = this.options;
    return ofCall !== undefined && ofRegistry !== undefined ? Math.min(ofCall, ofRegistry) : (ofCall ?? ofRegistry);
  }

  get keepOutput(): OutputKeeper | undefined {
    return this.dispatcher.keepOutput;
  }

  get dispatch(): NestedDispatch {
    const { dispatcher, options, callId } = this;
    return (nested, { signal: own } = {}) =>
      dispatchCall(
        dispatcher,
        nested,
        { ...options, signal: eitherSignal(options.signal, own) },
        { parentCallId: callId },
      );
  }

  onProgress(update: ToolProgress): void {
    notify(this.options.onEvent, { type: "call-progress", ...this.of, update });
  }

  onLateResult(result: ToolResult): void {
    notify(this.options.onEvent, { type: "call-late", ...this.of, result });
  }

  private get of(): { callId: string; parentCallId: string | undefined; name: string } {
    const { callId = "", parentCallId, name } = this;
    return { callId, parentCallId, name };
  }
}

/** The result as it is now: its data belongs to the tool, which may go on changing it. */
function snapshot(result: ToolResult): ToolResult {
  if (!result.success || typeof result.data !== "object" || result.data === null) return result;
  return copyResult(result, { data: JSON.parse(JSON.stringify(result.data)) as unknown });
}

function eitherSignal(outer: AbortSignal | undefined, own: AbortSignal | undefined): AbortSignal | undefined {
  return outer && own ? AbortSignal.any([outer, own]) : (own ?? outer);
}

function unknownTool(name: string, tools: Dispatcher["tools"]): ToolResult {
  if (name === "") {
    return failure("Cannot call a tool: the call has no name. Send the name of one of the tools and its arguments", {
      code: "invalid_call",
    });
  }
  const { message, code } = new ToolNotFoundError(name, [...tools.keys()]);
  return failure(`${message}. Call one of these instead`, { code });
}

/** Whether the call has run is not known, and running it twice is worse than not running it. */
function unreadableResult(name: string): ToolResult {
  return failure(
    `${name} was not started: whether this call has run before could not be looked up. This is a fault of the host, not of the call`,
    { code: "transcript_unreadable" },
  );
}

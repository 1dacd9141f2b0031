import type { CallPolicy } from "../call/call-policy.ts";
import { nextTurn, tooManyCalls } from "../call/calls-in-flight.ts";
import { CHECKED, invalidOptionsResult, readHostOptions, type CheckedHostOptions } from "../call/host-options.ts";
import type { KeptCall } from "../call/kept-call.ts";
import type { ToolMiddleware } from "../call/middleware.ts";
import type { ParentCall } from "../call/parent-call.ts";
import { makeCallId, parseParams, readCall, type SentCall } from "../call/parse-call.ts";
import type { Approver, CallOptions, NestedDispatch, ToolProgress } from "../call/tool.ts";
import { jsonOrReason } from "../json/json.ts";
import type { Repair } from "../repair/repair.ts";
import type { OutputKeeper } from "../result/limit-output.ts";
import { notStartedResult, thrownResult } from "../result/tool-output.ts";
import { failure, isToolResult, withRepairs, type ToolFailure, type ToolResult } from "../result/tool-result.ts";
import { heldArguments } from "../transcript/held-arguments.ts";
import { noteAnswered } from "../transcript/id-scope.ts";
import { recordEntry } from "../transcript/record-entry.ts";
import { recordedResult } from "../transcript/recorded-result.ts";
import { nextSequence, type Transcript, type TranscriptEntry } from "../transcript/transcript.ts";
import { callerOf, refusedCaller } from "./caller-rule.ts";
import type { DispatchOptions } from "./dispatch-options.ts";
import { nestedDispatcher, type Dispatcher } from "./dispatcher.ts";
import { cutOffResult, tooDeep, unknownTool, unreadableResult } from "./refused-call.ts";
import { DEFAULT_MAX_DEPTH, DEFAULT_MAX_NESTED } from "./registry-options.ts";
import { notify } from "./tool-event.ts";

type Checked = DispatchOptions & { readonly context?: unknown } & CheckedHostOptions & {
    /** The nested calls in flight of the outermost call. */
    family?: { calls: number };
  };

/** The position of a call among others. */
export interface CallPosition {
  /** The calls whose tools make this call, outermost first. Default none. */
  readonly parents?: readonly ParentCall[] | undefined;
  /** The `sequence` of its transcript entry. Default: the next one when the call starts. */
  readonly sequence?: number | undefined;
  /** Where its entry is appended. Default the transcript of the options. */
  readonly recorder?: Pick<Transcript, "append"> | undefined;
  /** The record of the call whose tool makes this call. Default: none. */
  readonly within?: KeptCall | undefined;
  /** Sees the result before it is recorded, and may replace it. Default: it is recorded as it is. */
  readonly admit?: ((result: ToolResult) => ToolResult) | undefined;
}

const NO_POSITION: CallPosition = Object.freeze({});
const NO_PARENTS: readonly ParentCall[] = Object.freeze([]);

/**
 * Runs one call to its result and records it. Every call begins here. Never throws or rejects.
 *
 * A call takes these steps:
 *
 * 1. Parse: `readCall` and `parseParams` (`call/parse-call.ts`) read untrusted data; damaged JSON is repaired or refused.
 * 2. Find the tool: an unknown tool is answered with the closest name and the list of tools.
 * 3. Validate: `callTool` (`call/call-pipeline.ts`) checks the parameters and repairs them where that is safe (`repair/`).
 * 4. Approve: `permit` (`call/permit.ts`) applies the registry's policy and asks a person where it or the tool needs it.
 * 5. Execute: `executeTool` (`call/execute-tool.ts`) through the middleware; timeout, cancellation and grace are in
 *    `call/running-call.ts`.
 * 6. Result: `toResult` (`result/tool-output.ts`) and `limitOutput` (`result/limit-output.ts`).
 * 7. Transcript: `recordEntry` (`transcript/record-entry.ts`). A call that is recorded already skips 2 to 6.
 */
export function dispatchCall(
  dispatcher: Dispatcher,
  sent: SentCall,
  options: Checked,
  position: CallPosition = NO_POSITION,
): Promise<ToolResult> {
  // Refused calls wait too: a tool may make them for ever.
  const turn = nextTurn();
  if (turn !== undefined) return turn.then(() => dispatchCall(dispatcher, sent, options, position));
  try {
    const kept = options.durable?.keep(sent, position.parents ?? NO_PARENTS, position.within);
    const isKept = kept !== undefined && !isToolResult(kept);
    const call = isKept ? { ...sent, id: kept.callId } : sent;
    const at = isKept ? { ...position, parents: kept.parents } : position;
    return options.transcript === undefined && options.onEvent === undefined
      ? admitted(runKept(dispatcher, call, options, at.parents, kept), at)
      : runRecorded(dispatcher, call, options, at, kept).catch((thrown: unknown) => thrownResult(call.name, thrown));
  } catch (thrown) {
    // Only a stack without room gets here: a tool that calls itself through the registry instead of through its run.
    return Promise.resolve(thrownResult(sent.name, thrown));
  }
}

function admitted(result: Promise<ToolResult>, { admit }: CallPosition): Promise<ToolResult> {
  return admit === undefined ? result : result.then(admit);
}

/** Steps 1 to 6, once if the call is durable. */
function runKept(
  dispatcher: Dispatcher,
  call: SentCall,
  options: Checked,
  parents: readonly ParentCall[] | undefined,
  kept: KeptCall | ToolFailure | undefined,
): Promise<ToolResult> {
  if (kept === undefined) return runCall(dispatcher, call, options, parents);
  if (isToolResult(kept)) return Promise.resolve(kept);
  const tool = dispatcher.restricted.size === 0 ? undefined : dispatcher.find(call.name);
  const refused = tool && refusedCaller(dispatcher.restricted, tool, call, parents);
  // A result that was kept is for those who may call the tool.
  if (refused !== undefined) return Promise.resolve(refused);
  return kept.dispatch(
    () => runCall(dispatcher, call, options, parents, kept),
    () => dispatcher.find(call.name)?.fingerprint,
  );
}

/** Steps 1 to 6. Not `async`: the caller waits for the tool's own promise, because one more `await` is measurable. */
function runCall(
  dispatcher: Dispatcher,
  call: SentCall,
  options: Checked,
  parents: readonly ParentCall[] = NO_PARENTS,
  kept?: KeptCall,
): Promise<ToolResult> {
  const { name, sent, cutOff, caller } = call;
  if (options.invalid !== undefined) return Promise.resolve(invalidOptionsResult(name, options.invalid));
  if (options.signal?.aborted) return Promise.resolve(notStartedResult(name));
  if (cutOff !== undefined) return Promise.resolve(cutOffResult(name, cutOff));
  const { maxDepth = DEFAULT_MAX_DEPTH, maxNestedCalls = DEFAULT_MAX_NESTED } = dispatcher.options;
  if (parents.length > maxDepth) return Promise.resolve(tooDeep(name, maxDepth));
  if (options.family !== undefined && options.family.calls > maxNestedCalls)
    return Promise.resolve(tooManyCalls(name, maxNestedCalls, "in the call around it"));
  const tool = dispatcher.find(name);
  if (tool === undefined) {
    const { offered, known } = dispatcher.namesFor(callerOf(caller, parents));
    return Promise.resolve(unknownTool(name, offered, known));
  }
  const refused = refusedCaller(dispatcher.restricted, tool, call, parents);
  if (refused !== undefined) return Promise.resolve(refused);
  const parsed = parseParams(sent, tool);
  if (parsed.error !== undefined) {
    return Promise.resolve(failure(`Cannot call ${name}: ${parsed.error}`, { code: "invalid_call", effects: "none" }));
  }
  const { params, repairs } = parsed;
  try {
    const result = tool.call(params, new DispatchedCall(dispatcher, options, call, parents, repairs, kept));
    return repairs === undefined ? result : result.then((own) => withRepairs(own, repairs));
  } catch (thrown) {
    // A tool never throws here. An object that stands in for a tool, such as a proxy, can.
    return Promise.resolve(thrownResult(name, thrown));
  }
}

/** Step 7 around the others: answers from the transcript, or runs the call, notifies observers and records it. */
async function runRecorded(
  dispatcher: Dispatcher,
  call: SentCall,
  options: Checked,
  position: CallPosition,
  kept: KeptCall | ToolFailure | undefined,
): Promise<ToolResult> {
  const { parents, sequence = nextSequence(), recorder } = position;
  const parentCallId = parents?.at(-1)?.callId;
  const { transcript, onEvent, replay = true, recordTimeoutMs } = options;
  const { turn, name, sent, cutOff, caller, id: callId = makeCallId() } = call;
  // Copied before the tool runs, which may change its parameters.
  const copied = jsonOrReason(sent);
  const of = { callId, parentCallId, name };
  let recorded: ToolResult | undefined;
  let unreadable: ToolResult | undefined;
  try {
    const tool = transcript && replay && call.id !== undefined ? dispatcher.find(name) : undefined;
    const isRefused = tool && refusedCaller(dispatcher.restricted, tool, call, parents) !== undefined;
    // A record is for callers who may call the tool.
    if (transcript !== undefined && replay && call.id !== undefined && isRefused !== true) {
      const isHarmless = tool?.annotations.readOnly === true;
      recorded = await recordedResult(transcript, { id: callId, turn, name, sent }, isHarmless);
    }
  } catch (error) {
    notify(onEvent, { type: "transcript-error", ...of, error });
    unreadable = unreadableResult(name);
  }
  // An id that was made up for this call comes with no other one.
  if (transcript !== undefined && call.id !== undefined) noteAnswered(transcript, callId, name);
  if (recorded !== undefined) {
    notify(onEvent, { type: "call-replayed", ...of, result: recorded });
    return position.admit?.(recorded) ?? recorded;
  }
  const started = performance.now();
  const startedAt = Date.now();
  // Without an observer no event is made: the two cost 0.1 µs.
  if (onEvent !== undefined) notify(onEvent, { type: "call-start", ...of, arguments: copied });
  const result =
    unreadable ??
    (await admitted(
      runKept(dispatcher, { id: callId, turn, name, sent, cutOff, caller }, options, parents, kept),
      position,
    ));
  const durationMs = performance.now() - started;
  if (onEvent !== undefined) notify(onEvent, { type: "call-end", ...of, result, durationMs });
  if (transcript === undefined) return result;
  const held = heldArguments(copied, { callId, name, keep: dispatcher.options.keepOutput });
  const entry = { callId, name, ...held, result, startedAt, durationMs, sequence };
  try {
    const pending = recordEntry(recorder ?? transcript, scoped(entry, turn, parentCallId), recordTimeoutMs);
    if (pending !== undefined) await pending;
  } catch (error) {
    notify(onEvent, { type: "transcript-error", ...of, error });
  }
  return result;
}

/** The entry with its turn and its parent, if it has them. Without them it is not copied, which costs 0.2 µs. */
function scoped(entry: TranscriptEntry, turn: string | undefined, parentCallId: string | undefined): TranscriptEntry {
  if (turn === undefined && parentCallId === undefined) return entry;
  const { callId, ...rest } = entry;
  return { callId, ...(turn !== undefined && { turn }), ...(parentCallId !== undefined && { parentCallId }), ...rest };
}

/** The options of a tool's call. Getters read those of the dispatch when needed, because most never are. */
class DispatchedCall implements CallOptions {
  // `private` and not `#`, as in `RunningCall`.
  readonly parents: readonly ParentCall[];
  readonly repairs: readonly Repair[] | undefined;
  readonly caller: "program" | undefined;
  readonly turn: string | undefined;
  readonly kept: KeptCall | undefined;
  private readonly dispatcher: Dispatcher;
  private readonly options: Checked;
  private readonly name: string;
  private id: string | undefined;
  private own: ParentCall | undefined = undefined;
  private family: { calls: number } | undefined;

  constructor(
    dispatcher: Dispatcher,
    options: Checked,
    { name, id, turn, caller }: SentCall,
    parents: readonly ParentCall[],
    repairs: readonly Repair[] | undefined,
    kept: KeptCall | undefined,
  ) {
    this.dispatcher = dispatcher;
    this.options = options;
    this.family = options.family;
    this.name = name;
    this.id = id;
    this.parents = parents;
    this.repairs = repairs;
    this.caller = caller;
    this.turn = turn;
    this.kept = kept;
  }

  get [CHECKED](): typeof CHECKED {
    return CHECKED;
  }

  get callId(): string {
    return (this.id ??= makeCallId());
  }

  get parentCallId(): string | undefined {
    return this.parents.at(-1)?.callId;
  }

  get asParent(): ParentCall {
    return (this.own ??= Object.freeze({ callId: this.callId, name: this.name }));
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

  get policy(): CallPolicy | undefined {
    return this.dispatcher.options.policy;
  }

  get middleware(): readonly ToolMiddleware[] | undefined {
    return this.dispatcher.options.middleware;
  }

  get maxRunningCalls(): number | undefined {
    return this.dispatcher.options.maxRunningCalls;
  }

  get maxOutputChars(): number {
    return Math.min(this.options.maxOutputChars ?? Infinity, this.dispatcher.options.maxOutputChars ?? Infinity);
  }

  get keepOutput(): OutputKeeper | undefined {
    return this.dispatcher.options.keepOutput;
  }

  get dispatch(): NestedDispatch {
    const { dispatcher, options, callId, name, kept: within } = this;
    const family = (this.family ??= { calls: 0 });
    const parents = [...this.parents, this.asParent];
    const byProgram = [...this.parents, Object.freeze({ callId, name, caller: "program" as const })];
    return (nested, { signal = options.signal, caller, registry, admit } = {}) => {
      const call = readCall(nested);
      const by = registry === undefined ? dispatcher : nestedDispatcher(dispatcher, registry);
      if (by === undefined) return Promise.resolve(unknownTool(call.name, []));
      const position = { parents: caller === "program" ? byProgram : parents, within, admit };
      family.calls += 1;
      const { family: _, ...given } = options;
      const own: Checked = readHostOptions({ ...given, signal }, "dispatch");
      own.family = family;
      return dispatchCall(by, call, own, position).then((result) => {
        family.calls -= 1;
        return result;
      });
    };
  }

  onProgress(update: ToolProgress): void {
    notify(this.options.onEvent, { type: "call-progress", ...this.of, update });
  }

  onLateResult(result: ToolResult): void {
    notify(this.options.onEvent, { type: "call-late", ...this.of, result });
  }

  private get of(): { callId: string; parentCallId: string | undefined; name: string } {
    const { callId, parentCallId, name } = this;
    return { callId, parentCallId, name };
  }
}

import { asksApproval, type CallableTool } from "./call/callable-tool.ts";
import { countRunning, DEFAULT_MAX_RUNNING, isFull, nextTurn, tooManyCalls } from "./call/calls-in-flight.ts";
import { copyPlain } from "./call/copy-plain.ts";
import type { DurableCall } from "./call/durable-call.ts";
import { executeTool } from "./call/execute-tool.ts";
import { fitParams, type FittingCall, NO_CHANGES, withChanges } from "./call/fit-params.ts";
import {
  CHECKED,
  type CheckedHostOptions,
  invalidOptionsResult,
  isChecked,
  readHostOptions,
} from "./call/host-options.ts";
import {
  callerOf,
  type IdentifiedCall,
  makeCallId,
  NO_PARENTS,
  type ParentCall,
  parseParams,
  readCall,
  type SentCall,
} from "./call/parse-call.ts";
import { permit, withEdits } from "./call/permit.ts";
import { RunningCall } from "./call/running-call.ts";
import type { CallOptions } from "./call/tool.ts";
import { thrownMessage } from "./error/tool-error.ts";
import {
  cutOffResult,
  type Dispatcher,
  invalidCall,
  nestedDispatcher,
  refusedCaller,
  tooDeep,
  unknownTool,
} from "./registry/dispatcher.ts";
import { DEFAULT_MAX_DEPTH, DEFAULT_MAX_NESTED, type DispatchOptions } from "./registry/registry-options.ts";
import { notify } from "./registry/tool-event.ts";
import type { Repair } from "./repair/repair.ts";
import { notStartedResult, thrownResult } from "./result/tool-output.ts";
import { failure, isToolResult, type ToolFailure, type ToolResult, withRepairs } from "./result/tool-result.ts";
import { CallRecording, type RecordingPosition } from "./transcript/call-recording.ts";
import { beforeStart } from "./wait/before-start.ts";
import { isPending } from "./wait/thenable.ts";

type Checked = DispatchOptions & { readonly context?: unknown } & CheckedHostOptions & {
    /** The nested calls in flight of the outermost call. */
    family?: { calls: number };
  };

/** The position of a call among others. */
interface CallPosition extends RecordingPosition {
  /** The record of the call whose tool makes this call. Default: none. */
  readonly within?: DurableCall | undefined;
  /** Sees the result before it is recorded, and may replace it. Default: it is recorded as it is. */
  readonly admit?: ((result: ToolResult) => ToolResult) | undefined;
}

const NO_POSITION: CallPosition = Object.freeze({});

/**
 * Runs one call of a registry to its result and records it. Never throws or rejects.
 *
 * The steps of a call are the functions of this file, in their order:
 *
 * 1. `dispatchCall` identifies the call, and `answerOnce` gives the known result of a durable one.
 * 2. `answerCall` finds the tool and parses the arguments (`call/parse-call.ts`): damaged JSON is repaired or refused.
 * 3. `callTool` fits the parameters to the schema (`call/fit-params.ts`), asks the policy and a person where needed
 *    (`call/permit.ts`), and executes the tool (`call/execute-tool.ts`) until its timeout (`call/running-call.ts`).
 * 4. `recordCall` stands around 2 and 3 for a call with a transcript or an observer (`transcript/call-recording.ts`).
 *
 * Each step awaits only what is pending, and the first two pass on the promise of the third: an `await` costs a third of
 * validating and running a small tool.
 */
export function dispatchCall(
  dispatcher: Dispatcher,
  sent: SentCall,
  options: Checked,
  position: CallPosition = NO_POSITION,
): Promise<ToolResult> {
  try {
    // Refused calls wait too: a tool may make them in an endless loop.
    const turn = isFlooded(dispatcher, options.family) ? undefined : nextTurn();
    if (turn !== undefined) return turn.then(() => dispatchCall(dispatcher, sent, options, position));
    const { parents: outer = NO_PARENTS, within, admit } = position;
    const durable = options.durable?.keep(sent, outer, within);
    const isDurable = durable !== undefined && !isToolResult(durable);
    const call = isDurable ? { ...sent, id: durable.callId } : sent;
    const at = isDurable ? { ...position, parents: durable.parents } : position;
    return options.transcript !== undefined || options.onEvent !== undefined || admit !== undefined
      ? recordCall(dispatcher, call, options, at, durable)
      : Promise.resolve(answerOnce(dispatcher, call, options, at.parents, durable));
  } catch (thrown) {
    // A proxy of a tool, or a call that leaves no stack.
    return Promise.resolve(thrownResult(sent.name, thrown));
  }
}

/** Answers a call from its record, or runs it and records it. */
async function recordCall(
  dispatcher: Dispatcher,
  sent: SentCall,
  options: Checked,
  position: CallPosition,
  durable: DurableCall | ToolFailure | undefined,
): Promise<ToolResult> {
  try {
    const { parents = NO_PARENTS, admit = (result) => result } = position;
    const call: IdentifiedCall = { ...sent, id: sent.id ?? makeCallId() };
    const recording = new CallRecording(call, sent.id !== undefined, options, position);
    const isHarmless = dispatcher.find(call.name)?.annotations.readOnly === true;
    // A record is for callers who may call the tool.
    const mayBeKnown = recording.mayBeKnown && refusedCaller(dispatcher, call, parents) === undefined;
    const known = mayBeKnown ? await recording.find(isHarmless) : undefined;
    if (known?.recorded !== undefined) return admit(known.recorded);

    recording.start();
    let result: ToolResult;
    try {
      const answer = known?.unreadable ?? answerOnce(dispatcher, call, options, parents, durable);
      result = admit(isPending(answer) ? await answer : answer);
    } catch (thrown) {
      // A tool never throws here. A proxy of one can.
      result = thrownResult(call.name, thrown);
    }
    const ending = recording.end(result, dispatcher.options.keepOutput);
    if (ending !== undefined) await ending;
    return result;
  } catch (thrown) {
    return thrownResult(sent.name, thrown);
  }
}

/** A durable call runs once. Its known result is for callers who may call the tool. */
function answerOnce(
  dispatcher: Dispatcher,
  call: SentCall,
  options: Checked,
  parents: readonly ParentCall[] = NO_PARENTS,
  durable: DurableCall | ToolFailure | undefined,
): ToolResult | Promise<ToolResult> {
  if (durable === undefined) return answerCall(dispatcher, call, options, parents, undefined);
  if (isToolResult(durable)) return durable;
  return (
    refusedCaller(dispatcher, call, parents) ??
    durable.dispatch(
      async () => answerCall(dispatcher, call, options, parents, durable),
      () => dispatcher.find(call.name)?.fingerprint,
    )
  );
}

/** Finds the tool, reads the arguments and calls it. */
function answerCall(
  dispatcher: Dispatcher,
  call: SentCall,
  options: Checked,
  parents: readonly ParentCall[] = NO_PARENTS,
  durable: DurableCall | undefined,
): ToolResult | Promise<ToolResult> {
  const { name, caller } = call;
  const { maxDepth = DEFAULT_MAX_DEPTH, maxNestedCalls = DEFAULT_MAX_NESTED } = dispatcher.options;
  if (options.invalid !== undefined) return invalidOptionsResult(name, options.invalid);
  if (options.signal?.aborted) return notStartedResult(name);
  if (call.cutOff !== undefined) return cutOffResult(name, call.cutOff);
  if (call.fault !== undefined) return invalidCall(name, call.fault);
  if (parents.length > maxDepth) return tooDeep(name, maxDepth);
  if (options.family !== undefined && options.family.calls > maxNestedCalls)
    return tooManyCalls(name, maxNestedCalls, "in the call around it");
  const tool = dispatcher.find(name);
  if (tool === undefined) {
    const { offered, known } = dispatcher.namesFor(callerOf(caller, parents));
    return unknownTool(name, offered, known);
  }
  const refused = refusedCaller(dispatcher, call, parents);
  if (refused !== undefined) return refused;
  const parsed = parseParams(call.sent, tool);
  if (parsed.error !== undefined) {
    const { error, issues } = parsed;
    return invalidCall(name, error, issues);
  }
  const { params, repairs } = parsed;
  const result = tool.call(params, dispatchedOptions(dispatcher, call, options, parents, durable, repairs));
  return repairs === undefined ? result : result.then((own) => withRepairs(own, repairs));
}

/** The options with which a registry calls a tool: those of the dispatch, and its own. */
function dispatchedOptions(
  dispatcher: Dispatcher,
  { id: callId, name, caller, turn }: SentCall,
  options: Checked,
  parents: readonly ParentCall[],
  durableCall: DurableCall | undefined,
  repairs: readonly Repair[] | undefined,
): CallOptions & { readonly "~checked": typeof CHECKED } {
  const { onEvent, context, signal, approve, approvalTimeoutMs } = options;
  const { policy, middleware, maxRunningCalls, maxOutputChars = Infinity, keepOutput } = dispatcher.options;
  // A call with an observer has its id.
  const of =
    onEvent === undefined || callId === undefined ? undefined : { callId, parentCallId: parents.at(-1)?.callId, name };
  return {
    callId,
    parents,
    caller,
    turn,
    repairs,
    durableCall,
    context,
    signal,
    approve,
    approvalTimeoutMs,
    policy,
    middleware,
    maxRunningCalls,
    maxOutputChars: Math.min(options.maxOutputChars ?? Infinity, maxOutputChars),
    keepOutput,
    dispatch: nestedDispatch(dispatcher, options, durableCall),
    onProgress: of && ((update) => notify(onEvent, { type: "call-progress", ...of, update })),
    onLateResult: of && ((result) => notify(onEvent, { type: "call-late", ...of, result })),
    "~checked": CHECKED,
  };
}

/** Runs the calls that a call's tool makes. Those of the outermost call share one count. */
function nestedDispatch(
  dispatcher: Dispatcher,
  options: Checked,
  within: DurableCall | undefined,
): NonNullable<CallOptions["dispatch"]> {
  let { family } = options;
  return (nested, { signal = options.signal, parents, registry, admit }) => {
    const call = readCall(nested);
    const by = registry === undefined ? dispatcher : nestedDispatcher(dispatcher, registry);
    if (by === undefined) return Promise.resolve(nextTurn()).then(() => unknownTool(call.name, []));
    const { family: _, ...rest } = options;
    const given: Checked = readHostOptions({ ...rest, signal }, "dispatch");
    const count = (given.family = family ??= { calls: 0 });
    if (isFlooded(by, count)) return dispatchCall(by, call, given, { parents, within, admit });
    count.calls += 1;
    return dispatchCall(by, call, given, { parents, within, admit }).then((result) => {
      count.calls -= 1;
      return result;
    });
  };
}

/**
 * Whether so many calls wait for their refusal that a further one is refused at once: a tool that makes calls without
 * awaiting them would fill the process.
 */
function isFlooded({ options }: Dispatcher, family: Checked["family"]): boolean {
  return family !== undefined && family.calls > 2 * (options.maxNestedCalls ?? DEFAULT_MAX_NESTED);
}

/** How many turns of the event loop a call leaves to others that begin before it. */
const MOST_WAITS = 1_000;

/** Runs one call of a tool, from its parameters to its result. Never rejects. */
export async function callTool(tool: CallableTool, sent: unknown, given: CallOptions): Promise<ToolResult> {
  let isCounted = false;
  try {
    // Not for ever: an observer that makes a call for each call takes every turn before this one, and fills the process.
    for (let waits = 0; waits < MOST_WAITS; waits += 1) {
      const turn = nextTurn();
      if (turn === undefined) break;
      await turn;
      if (isFull(DEFAULT_MAX_RUNNING)) break;
    }
    const options = isChecked(given) ? given : readHostOptions(given, "call");
    const { signal, maxRunningCalls = DEFAULT_MAX_RUNNING } = options;
    if (options.invalid !== undefined) return invalidOptionsResult(tool.name, options.invalid);
    if (signal?.aborted) return notStartedResult(tool.name);
    if (isFull(maxRunningCalls)) return tooManyCalls(tool.name, maxRunningCalls, "in this process");

    // From here on its checks may make calls too, without end.
    countRunning(1);
    isCounted = true;
    // A step is asked whether it gave a result only where it can: asking each costs a small call a twentieth.
    let check = tool.parameters.validate(sent);
    if (isPending(check)) {
      const waited = await beforeStart(check, tool, signal);
      if (isToolResult(waited)) return waited;
      check = waited;
    }
    let call: FittingCall;
    if (check.issues === undefined && tool.parameters.namesFields(sent))
      call = { sent, params: check.value, repairs: NO_CHANGES, ignored: NO_CHANGES };
    else {
      const fitted = await fitParams(tool, sent, check, signal);
      if (isToolResult(fitted)) return fitted;
      call = fitted;
    }
    if (signal?.aborted) return notStartedResult(tool.name);

    const run = new RunningCall(tool, options);
    // The sender may still change its parameters while a person is asked. A policy copies them itself.
    const isCopied = tool.needsApproval !== false && options.policy === undefined;
    const own = isCopied ? { ...call, params: copyPlain(call.params) } : call;
    // A required context is checked before the tool's own rule reads it, and a policy is asked before both.
    const isOpen = tool.context === undefined && options.policy === undefined;
    const asks = isOpen ? asksApproval(tool.needsApproval, own.params, run.context) : undefined;
    const answer =
      asks === false ? executeTool(tool, own.params, run, options) : permitAndExecute(tool, own, asks, run, options);
    const result = isPending(answer) ? await answer : answer;
    return withChanges(result, call);
  } catch (thrown) {
    return uncheckedResult(tool.name, sent, thrown);
  } finally {
    if (isCounted) countRunning(-1);
  }
}

/** Executes the tool once the call is permitted. */
async function permitAndExecute(
  tool: CallableTool,
  call: FittingCall,
  asks: boolean | Promise<boolean> | undefined,
  run: RunningCall,
  options: CallOptions,
): Promise<ToolResult> {
  try {
    const permitted = await permit(tool, call, asks, run, options);
    if (isToolResult(permitted)) return permitted;
    if (options.signal?.aborted) return notStartedResult(tool.name);
    const { params, edits } = permitted;
    const result = await executeTool(tool, params, run, options);
    return edits.length === 0 ? result : withEdits(result, edits, params);
  } catch (thrown) {
    return thrownResult(tool.name, thrown);
  }
}

/** For errors thrown before the tool starts: by parameters that cannot be read, or by the schema's own check. */
function uncheckedResult(name: string, params: unknown, thrown: unknown): ToolResult {
  try {
    JSON.stringify(params);
    return thrownResult(name, thrown);
  } catch (unreadable) {
    const text = `Cannot call ${name}: its parameters cannot be read, ${thrownMessage(unreadable)}. Send them as plain JSON`;
    return failure(text, { code: "invalid_params", effects: "none" });
  }
}

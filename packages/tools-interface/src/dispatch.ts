import { jsonOrReason } from "./json.ts";
import { makeCallId, parseParams, readCall, type SentCall, type ToolCall } from "./tool-call.ts";
import { ToolNotFoundError } from "./tool-error.ts";
import { notify, type ToolObserver } from "./tool-event.ts";
import { notStartedResult } from "./tool-output.ts";
import { failure, withRepairs, type ToolResult } from "./tool-result.ts";
import type { AnyTool, Approver, CallOptions, NestedDispatch, WithContext } from "./tool.ts";
import type { Transcript } from "./transcript.ts";

/** Options of `dispatch` and `dispatchAll`. `context` is required as soon as one of the registry's tools needs one. */
export type DispatchOptions<Context = unknown> = {
  /** Where the call is recorded, with exactly one entry. Default: nowhere. */
  readonly transcript?: Transcript | undefined;
  /** Cancels the call. Already aborted: the tool does not start, and the call is recorded as cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** Answers for tools that need approval. Without it such calls are denied. */
  readonly approve?: Approver | undefined;
  /** Hears what happens as it happens, nested calls included. */
  readonly onEvent?: ToolObserver | undefined;
} & WithContext<Context>;

type Options = DispatchOptions & { readonly context?: unknown };
type Lookup = ReadonlyMap<string, AnyTool>;

let sequence = 0;

/** Runs one call to its result and records it. Never throws or rejects. */
export function dispatchCall(
  tools: Lookup,
  call: ToolCall,
  options: Options,
  parentCallId?: string,
): Promise<ToolResult> {
  const read = readCall(call);
  const { transcript, onEvent } = options;
  return transcript === undefined && onEvent === undefined
    ? runCall(tools, read, options, parentCallId)
    : observed(tools, { ...read, id: read.id ?? makeCallId() }, options, parentCallId);
}

async function observed(
  tools: Lookup,
  call: SentCall & { readonly id: string },
  options: Options,
  parentCallId: string | undefined,
): Promise<ToolResult> {
  const { transcript, onEvent } = options;
  const { id: callId, name, sent } = call;
  const of = { callId, parentCallId, name };
  const started = performance.now();
  const startedAt = Date.now();
  const position = (sequence += 1);
  notify(onEvent, { type: "call-start", ...of, arguments: sent });
  const result = await runCall(tools, call, options, parentCallId);
  const durationMs = performance.now() - started;
  notify(onEvent, { type: "call-end", ...of, result, durationMs });
  try {
    await transcript?.append({
      callId,
      ...(parentCallId !== undefined && { parentCallId }),
      name,
      arguments: jsonOrReason(sent),
      result,
      startedAt,
      durationMs,
      sequence: position,
    });
  } catch (error) {
    notify(onEvent, { type: "transcript-error", ...of, error });
  }
  return result;
}

/** Not async itself: whoever waits, waits for the tool's own promise. */
function runCall(
  tools: Lookup,
  call: SentCall,
  options: Options,
  parentCallId: string | undefined,
): Promise<ToolResult> {
  const { name, sent } = call;
  if (options.signal?.aborted) return answer(notStartedResult(name));
  const tool = tools.get(name);
  if (tool === undefined) return answer(unknownTool(name, tools));
  const parsed = parseParams(sent, tool);
  if (parsed.error !== undefined) {
    return answer(failure(`Cannot call ${name}: ${parsed.error}`, { code: "invalid_call" }));
  }
  const { params, repairs } = parsed;
  const called = tool.call(params, callOptions(tools, call, options, parentCallId));
  return repairs === undefined ? called : called.then((result) => withRepairs(result, repairs));
}

function answer(result: ToolResult): Promise<ToolResult> {
  return Promise.resolve(result);
}

function callOptions(
  tools: Lookup,
  { id: callId, name }: SentCall,
  options: Options,
  parentCallId: string | undefined,
): CallOptions {
  const { context, signal, approve, onEvent } = options;
  const dispatch: NestedDispatch = (nested, { signal: own } = {}) =>
    dispatchCall(tools, nested, { ...options, signal: eitherSignal(signal, own) }, callId);
  if (onEvent === undefined) return { context, signal, callId, approve, dispatch };
  const of = { callId: callId ?? "", parentCallId, name };
  return {
    context,
    signal,
    callId,
    approve,
    dispatch,
    onProgress: (update) => notify(onEvent, { type: "call-progress", ...of, update }),
    onLateResult: (result) => notify(onEvent, { type: "call-late", ...of, result }),
  };
}

function eitherSignal(outer: AbortSignal | undefined, own: AbortSignal | undefined): AbortSignal | undefined {
  return outer && own ? AbortSignal.any([outer, own]) : (own ?? outer);
}

function unknownTool(name: string, tools: Lookup): ToolResult {
  if (name === "") {
    return failure("Cannot call a tool: the call has no name. Send the name of one of the tools and its arguments", {
      code: "invalid_call",
    });
  }
  const { message, code } = new ToolNotFoundError(name, [...tools.keys()]);
  return failure(`${message}. Call one of these instead`, { code });
}

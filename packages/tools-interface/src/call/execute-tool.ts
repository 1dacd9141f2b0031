import { truncate } from "../error/describe-received.ts";
import { thrownMessage, ToolError } from "../error/tool-error.ts";
import { toJsonText } from "../json/json.ts";
import { fitsLimit, limitOutput } from "../result/limit-output.ts";
import { thrownResult, toResult } from "../result/tool-output.ts";
import type { ToolResult } from "../result/tool-result.ts";
import type { CompiledSchema } from "../schema/compiled-schema.ts";
import { onAbort } from "../wait/on-abort.ts";
import { isPending, isThenable, toPromise } from "../wait/thenable.ts";
import type { CallableTool } from "./callable-tool.ts";
import { copyPlain } from "./copy-plain.ts";
import type { DurableTool } from "./durable-call.ts";
import { throughMiddleware } from "./middleware.ts";
import type { RunningCall } from "./running-call.ts";
import type { CallOptions, ToolProgress } from "./tool.ts";

/** A promise may carry a `then` of its own, which must not be called. */
// oxlint-disable-next-line typescript/unbound-method -- it is never called unbound
const nativeThen = Promise.prototype.then;

/** Runs a tool whose call has passed every check, once if it is durable. Never throws or rejects. */
export function executeTool(
  tool: CallableTool,
  params: unknown,
  run: RunningCall,
  options: CallOptions,
): ToolResult | Promise<ToolResult> {
  const { durableCall: durable } = options;
  if (durable === undefined) return begin(tool, params, run, options);
  const known = durableTool(tool, params, run, (asking) => begin(asking, params, run, { ...options, middleware: [] }));
  return durable.execute(known, () => begin(tool, params, run, options), options.signal);
}

/** The answer of a synchronous tool needs no wait. */
function begin(
  tool: CallableTool,
  params: unknown,
  run: RunningCall,
  options: CallOptions,
): ToolResult | Promise<ToolResult> {
  const hasMiddleware = options.middleware !== undefined && options.middleware.length > 0;
  let answered: unknown;
  try {
    answered = hasMiddleware ? throughLayers(tool, params, run, options) : tool.execute(params, run);
    if (isThenable(answered))
      return resolveAnswer(tool, answered, hasMiddleware ? undefined : tool.output, run, options);
    if (isAsyncGenerator(answered)) return resolveAnswer(tool, lastValue(answered, run), tool.output, run, options);
  } catch (thrown) {
    answered = thrownResult(tool.name, thrown);
  }
  const result = toResult(tool.name, answered, tool.output);
  if (isPending(result)) return resolveAnswer(tool, result, undefined, run, options);
  run.release();
  return limited(tool, result, run, options);
}

function throughLayers(
  tool: CallableTool,
  params: unknown,
  run: RunningCall,
  options: CallOptions,
): Promise<ToolResult> {
  const { name, description, annotations } = tool;
  const { middleware = [] } = options;
  // What was permitted runs: no layer has the tool's own parameters.
  const shown = copyPlain(params, Object.freeze);
  const { callId, context, signal } = run;
  const parentCallId = run.parents.at(-1)?.callId;
  const call = Object.freeze({ callId, parentCallId, name, description, params: shown, annotations, context, signal });
  return throughMiddleware(middleware, call, () => answerOf(tool, params, run), tool.output);
}

async function answerOf(tool: CallableTool, params: unknown, run: RunningCall): Promise<unknown> {
  const answered = await toPromise(tool.execute(params, run));
  return isAsyncGenerator(answered) ? lastValue(answered, run) : answered;
}

/** `output` is `undefined` when the answer has been checked against it already. */
function resolveAnswer(
  tool: CallableTool,
  answered: PromiseLike<unknown>,
  output: CompiledSchema | undefined,
  run: RunningCall,
  options: CallOptions,
): Promise<ToolResult> {
  const onValue = (value: unknown): void => {
    try {
      if (isAsyncGenerator(value)) {
        void lastValue(value, run).then(onValue, onThrow);
        return;
      }
      const result = toResult(tool.name, value, output);
      if (isPending(result)) void result.then((late) => run.finish(limited(tool, late, run, options)));
      else run.finish(limited(tool, result, run, options));
    } catch (thrown) {
      onThrow(thrown);
    }
  };
  const onThrow = (thrown: unknown): void => run.finish(limited(tool, thrownResult(tool.name, thrown), run, options));
  const result = run.wait();
  if (answered instanceof Promise) void nativeThen.call(answered, onValue, onThrow);
  else void toPromise(answered).then(onValue, onThrow);
  return result;
}

function limited(tool: CallableTool, result: ToolResult, run: RunningCall, options: CallOptions): ToolResult {
  const maxChars = Math.min(tool.maxOutputChars, options.maxOutputChars ?? Infinity);
  if (fitsLimit(result, maxChars)) return result;
  return limitOutput(result, { maxChars, callId: run.callId, name: tool.name, keep: options.keepOutput });
}

/**
 * The tool of a call as its keeper sees it.
 *
 * @param ask Runs a tool that asks instead of acts, with the call's timeout and cancellation.
 */
function durableTool(
  tool: CallableTool,
  params: unknown,
  run: RunningCall,
  ask: (asking: CallableTool) => ToolResult | Promise<ToolResult>,
): DurableTool {
  const { name, annotations, fingerprint, resumable, reconcile } = tool;
  return { name, annotations, fingerprint, resumable, reconcile: reconcile && reconciled };

  /** Only a result of `reconcile` counts: a throw, a timeout or data that do not fit leave the outcome unknown. */
  async function reconciled(): Promise<ToolResult | undefined> {
    let hasAnswered = false;
    const execute = async (): Promise<unknown> => {
      const answer = await toPromise(reconcile?.(params, run));
      hasAnswered = answer !== undefined;
      if (!hasAnswered) throw new ToolError("nothing is known of the effect", { code: "outcome_unknown" });
      return answer;
    };
    const result = await ask({ ...tool, reconcile: undefined, execute });
    const isUnfit = !result.success && ["timeout", "cancelled", "invalid_output"].includes(result.code);
    return hasAnswered && !isUnfit ? result : undefined;
  }
}

/** Most characters of a yielded value that observers are shown. */
const MAX_MESSAGE_CHARS = 1_000;
/** How long a generator may hold the event loop before timers get a turn, in milliseconds. */
const MAX_HOLD_MS = 10;

/** True for the result of an `async *` function. False for a stream, which has no `next`. */
function isAsyncGenerator(value: unknown): value is AsyncGenerator<unknown, unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    Symbol.asyncIterator in value &&
    "next" in value &&
    typeof value.next === "function"
  );
}

/**
 * Runs a generator to its end and reports each yielded value as progress. Resolves with the returned value, or with the
 * last yielded one when nothing is returned. Ends the generator, so that its `finally` blocks run, once the call is
 * answered without it.
 */
async function lastValue(generator: AsyncGenerator<unknown, unknown>, run: RunningCall): Promise<unknown> {
  let last: unknown;
  let heldSince = performance.now();
  for (;;) {
    const step = await toPromise(generator.next());
    if (step.done === true) return step.value ?? last;
    last = step.value;
    run.progress(toProgress(last));
    if (run.isAnswered) return (await toPromise(generator.return(undefined))).value ?? last;
    if (performance.now() - heldSince < MAX_HOLD_MS) continue;
    // A generator that never waits for anything would keep its own timeout from running.
    await new Promise((resolve) => setTimeout(resolve, 0));
    heldSince = performance.now();
  }
}

function toProgress(value: unknown): ToolProgress {
  if (typeof value === "string") return { message: truncate(value, MAX_MESSAGE_CHARS) };
  try {
    const { message } = (value ?? {}) as { readonly message?: unknown };
    if (typeof message === "string") return value as ToolProgress;
    return { message: truncate(toJsonText(value), MAX_MESSAGE_CHARS) };
  } catch {
    return { message: "a value that JSON cannot hold" };
  }
}

/** Pause before the second attempt, in milliseconds; doubled before each further one. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

type Execute = (params: unknown, run: RunningCall) => unknown;

/**
 * Calls `execute` again when it throws, up to `retries` times. A `ToolError` is an answer and is not retried. Each pause has
 * a random length up to its limit, so that callers that failed together do not retry together (the "full jitter" of
 * AWS's architecture blog). Each attempt gets the parameters as they were validated. Stops at once when the call is cancelled or times out.
 */
export function withRetries(execute: Execute, retries: number): Execute {
  return async (params, run) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answered = await toPromise(execute(copyPlain(params), run));
        return isAsyncGenerator(answered) ? await lastValue(answered, run) : answered;
      } catch (thrown) {
        if (attempt > retries || ToolError.isInstance(thrown) || run.signal.aborted) throw thrown;
        const message = `attempt ${attempt} of ${retries + 1} failed: ${thrownMessage(thrown)}`;
        run.progress({ message, done: attempt, total: retries + 1 });
        await pause(Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS) * Math.random(), run.signal);
        if (run.signal.aborted) throw thrown;
      }
    }
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      detach();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const detach = onAbort(signal, end);
  });
}

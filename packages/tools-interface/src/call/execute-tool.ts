import { fitsLimit, limitOutput } from "../result/limit-output.ts";
import { thrownResult, toResult } from "../result/tool-output.ts";
import type { ToolResult } from "../result/tool-result.ts";
import type { CompiledSchema } from "../schema/compiled-schema.ts";
import { throughMiddleware } from "./middleware.ts";
import type { RunningCall } from "./running-call.ts";
import type { ToolAnnotations } from "./tool-annotations.ts";
import type { CallOptions } from "./tool.ts";

/** What running a tool takes. */
export interface ExecutableTool {
  readonly name: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly timeoutMs: number;
  readonly maxOutputChars: number;
  readonly execute: (params: unknown, run: RunningCall) => unknown;
  readonly output: CompiledSchema | undefined;
}

/** Called on the promise at hand: it may carry a `then` of its own. */
// oxlint-disable-next-line typescript/unbound-method -- it is never called unbound
const nativeThen = Promise.prototype.then;

/** Runs a tool whose call has passed every check. Never throws or rejects; a tool that answers at once is not waited for. */
export function executeTool(
  tool: ExecutableTool,
  params: unknown,
  run: RunningCall,
  options: CallOptions,
): ToolResult | Promise<ToolResult> {
  let answered: unknown;
  try {
    answered = options.middleware ? around(tool, params, run, options) : tool.execute(params, run);
    if (isThenable(answered)) return settle(tool, answered, options.middleware ? undefined : tool.output, run, options);
  } catch (thrown) {
    answered = thrownResult(tool.name, thrown);
  }
  const result = toResult(tool.name, answered, tool.output);
  if ("then" in result) return settle(tool, result, undefined, run, options);
  run.release();
  return limited(tool, result, run, options);
}

function around(tool: ExecutableTool, params: unknown, run: RunningCall, options: CallOptions): Promise<ToolResult> {
  const { name, description, annotations } = tool;
  const { middleware = [], parentCallId } = options;
  const { callId, context, signal } = run;
  const call = Object.freeze({ callId, parentCallId, name, description, params, annotations, context, signal });
  return throughMiddleware(middleware, call, () => tool.execute(params, run), tool.output);
}

/** `output` is left out for what has been held to it already. */
function settle(
  tool: ExecutableTool,
  answered: PromiseLike<unknown>,
  output: CompiledSchema | undefined,
  run: RunningCall,
  options: CallOptions,
): Promise<ToolResult> {
  const onValue = (value: unknown): void => {
    const result = toResult(tool.name, value, output);
    if ("then" in result) void result.then((late) => run.settled(limited(tool, late, run, options)));
    else run.settled(limited(tool, result, run, options));
  };
  const onThrow = (thrown: unknown): void => run.settled(limited(tool, thrownResult(tool.name, thrown), run, options));
  const result = run.wait();
  // Any other thenable may do with its callbacks as it likes, so a promise is put in between.
  if (answered instanceof Promise) void nativeThen.call(answered, onValue, onThrow);
  else void Promise.resolve(answered).then(onValue, onThrow);
  return result;
}

function limited(tool: ExecutableTool, result: ToolResult, run: RunningCall, options: CallOptions): ToolResult {
  const { maxOutputChars: asked } = options;
  const maxChars = asked !== undefined && asked < tool.maxOutputChars ? asked : tool.maxOutputChars;
  if (fitsLimit(result, maxChars)) return result;
  return limitOutput(result, { maxChars, callId: run.callId, name: tool.name, keep: options.keepOutput });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === "object" || typeof value === "function") &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}

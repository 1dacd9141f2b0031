import { describeThrown } from "../error/tool-error.ts";
import { thrownResult, toResult } from "../result/tool-output.ts";
import { failure, isToolResult, type ToolResult } from "../result/tool-result.ts";
import type { CompiledSchema } from "../schema/compiled-schema.ts";
import { toPromise } from "../wait/thenable.ts";
import { nextTurn } from "./calls-in-flight.ts";
import type { CallOf } from "./parse-call.ts";
import type { ToolAnnotations } from "./tool-annotations.ts";

/** A call that is about to run: validated and, where needed, approved. */
export interface MiddlewareCall extends CallOf {
  /** The tool's description, as models read it. */
  readonly description: string;
  /** A frozen copy of the parameters that the tool receives; instances of classes in it are the tool's own. */
  readonly params: unknown;
  /** The annotations of the tool. */
  readonly annotations: ToolAnnotations;
  /** The context that the host passed for this call. */
  readonly context: unknown;
  /** Aborts when the call is cancelled or its time is over. */
  readonly signal: AbortSignal;
}

/**
 * Wraps the work of tools: measures it, refuses it, answers in its place, or changes its result. `next` runs the next
 * layer, at last the tool, and never rejects; called again it gives the same result, so a tool runs at most once. The time
 * that middleware takes counts towards the tool's timeout. An error that it throws becomes a failure.
 */
export type ToolMiddleware = (
  call: MiddlewareCall,
  next: () => Promise<ToolResult>,
) => ToolResult | Promise<ToolResult>;

/**
 * Runs the tool's work through all layers. A result that a layer made is checked against the tool's output schema too.
 * Never rejects.
 */
export async function throughMiddleware(
  layers: readonly ToolMiddleware[],
  call: MiddlewareCall,
  work: () => unknown,
  output: CompiledSchema | undefined,
): Promise<ToolResult> {
  let own: ToolResult | undefined;
  const inner = async (): Promise<ToolResult> => {
    try {
      own = await toResult(call.name, await work(), output);
    } catch (thrown) {
      own = thrownResult(call.name, thrown);
    }
    return own;
  };
  const outermost = layers.reduceRight<() => Promise<ToolResult>>((next, layer) => once(layer, call, next), inner);
  const result = await outermost();
  if (result === own) return result;
  const isChecked = result.success && own?.success === true && result.data === own.data;
  return toResult(call.name, result, isChecked ? undefined : output);
}

function once(layer: ToolMiddleware, call: MiddlewareCall, next: () => Promise<ToolResult>): () => Promise<ToolResult> {
  return async () => {
    let inner: Promise<ToolResult> | undefined;
    try {
      const result: unknown = await toPromise(
        layer(call, () => (inner === undefined ? (inner = next()) : again(inner))),
      );
      if (isToolResult(result)) return result;
      return layerFailure(call.name, inner !== undefined, "it answered with something that is no tool result");
    } catch (thrown) {
      return layerFailure(call.name, inner !== undefined, describeThrown(thrown));
    }
  };
}

/** The result once more: a layer that asks for it until it is another one lets the event loop turn. */
async function again(inner: Promise<ToolResult>): Promise<ToolResult> {
  await nextTurn();
  return inner;
}

function layerFailure(name: string, ran: boolean, why: string): ToolResult {
  const what = ran ? "was called, but its result was lost in" : "was not run: it was stopped by";
  return failure(`${name} ${what} the host's middleware: ${why}. This is a fault of the host, not of the call`, {
    code: "execution_failed",
  });
}

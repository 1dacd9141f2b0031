import type { ToolMiddleware, ToolObserver } from "@dispatch/tools-interface";
import { checkOptions } from "@dispatch/tools-interface/internal";
import type { Meter, Tracer } from "@opentelemetry/api";
import { CallSpans, type ContentRedactor } from "./call-spans.ts";

/** Options of `createToolTelemetry`. */
export interface ToolTelemetryOptions {
  /** Makes the spans. Default: the globally registered provider's. */
  readonly tracer?: Tracer;
  /** Makes the histogram. Default: the globally registered provider's. */
  readonly meter?: Meter;
  /** Whether arguments, results and the texts of failures are recorded, each in at most 8,192 characters. Default false. */
  readonly captureContent?: boolean;
  /** Removes from content the parts that must not be recorded. Default: masks likely secrets. */
  readonly redact?: ContentRedactor;
  /** Description of a tool by its name, such as `(name) => registry.get(name).description`. Default: none is recorded. */
  readonly describe?: (name: string) => string | undefined;
}

/** Telemetry of tool calls, in the two places it has to be plugged in. */
export interface ToolTelemetry {
  /** For `createToolRegistry`: while a tool runs, its call's span is the active one. */
  readonly middleware: ToolMiddleware;
  /** For `dispatch`: one span and one measurement for each call, also for those that never reach a tool. */
  readonly onEvent: ToolObserver;
}

/**
 * Records tool calls with OpenTelemetry, by its semantic conventions for generative AI 1.42.0-dev (status:
 * development): a span `execute_tool NAME` and a value of the histogram `gen_ai.execute_tool.duration`, in seconds, for
 * each call.
 *
 * A failure has the status `ERROR` and its code as `error.type`. A nested call's span is a child of its parent's. Names
 * of unknown tools are in the attribute `gen_ai.tool.name` alone. A call answered from the transcript has a span with
 * `dispatch.tool.replayed` and is not measured. Never changes a call, even if tracer, meter or redactor throw.
 *
 * @example
 * ```ts
 * const telemetry = createToolTelemetry();
 * const registry = createToolRegistry({ middleware: [telemetry.middleware] }).register(tool);
 * await registry.dispatch(call, { onEvent: telemetry.onEvent });
 * ```
 */
export function createToolTelemetry(options: ToolTelemetryOptions = {}): ToolTelemetry {
  checkOptions("create telemetry", options, {
    tracer: true,
    meter: true,
    captureContent: true,
    redact: true,
    describe: true,
  });
  const { tracer, meter, captureContent, redact, describe } = options;
  const spans = new CallSpans({ tracer, meter, captureContent: captureContent === true, redact, describe });
  return Object.freeze<ToolTelemetry>({
    middleware: (call, next) => spans.run(call, call.params, next),
    onEvent(event) {
      if (event.type === "call-start") spans.start(event, event.arguments);
      else if (event.type === "call-end") spans.end(event.callId, event.name, event.result, event.durationMs);
      else if (event.type === "call-replayed") spans.replayed(event, event.result);
    },
  });
}

import type { ToolResult } from "@dispatch/tools-interface";
import { maskSecrets, toJsonText, truncate, type CallOf } from "@dispatch/tools-interface/internal";
import { context, createContextKey, metrics, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Attributes, Context, Histogram, Meter, Tracer } from "@opentelemetry/api";
import { OpenCalls, type OpenCall } from "./open-calls.ts";

/**
 * Names of the OpenTelemetry semantic conventions for generative AI, version 1.42.0-dev (repository
 * semantic-conventions-genai). Their status is "development": names may change.
 */
const GEN_AI = Object.freeze({
  operationName: "gen_ai.operation.name",
  toolName: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  toolDescription: "gen_ai.tool.description",
  callId: "gen_ai.tool.call.id",
  callArguments: "gen_ai.tool.call.arguments",
  callResult: "gen_ai.tool.call.result",
  errorType: "error.type",
});

/** The conventions' name for running a tool. */
const OPERATION = "execute_tool";
/** Tools that run on the side of the caller are functions to the conventions. */
const TOOL_TYPE = "function";
/** The conventions' placeholder for a value that is unknown, or one of endlessly many. */
const OTHER = "_OTHER";

/** The histogram of how long tools run. */
const DURATION = Object.freeze({
  name: "gen_ai.execute_tool.duration",
  options: {
    description: "The duration of a single tool execution.",
    unit: "s",
    advice: {
      explicitBucketBoundaries: [
        0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
      ],
    },
  },
});

const SCOPE = "@dispatch/otel";
/** Limit for names and ids in attributes, in characters: a model may have made them up. */
const MAX_NAME = 128;
/** Limit for names with a series of their own in the metric; the others share one. */
const MAX_NAMES = 500;

/** Limit for a content attribute, in characters. */
const MAX_CONTENT = 8_192;
/** Longer texts are not redacted, and therefore not recorded. */
const MAX_REDACTED = 1_000_000;

/** The kind of a content attribute: the arguments, the result, or the reason of a failure. */
export type ContentKind = "arguments" | "result" | "error";

/**
 * Removes from a text the parts that must not leave the process. Receives the whole text. If it throws, or returns a
 * non-string, the attribute is left out.
 *
 * @param text The text that would be recorded.
 * @param of The kind of the text, and the name of its tool.
 */
export type ContentRedactor = (text: string, of: { readonly kind: ContentKind; readonly name: string }) => string;

/** The tracer, the meter and the redaction of spans. */
export interface CallSpansOptions {
  /** Makes the spans. */
  readonly tracer: Tracer | undefined;
  /** Makes the histogram. */
  readonly meter: Meter | undefined;
  /** Whether arguments and results are recorded. */
  readonly captureContent: boolean;
  /** Redacts them. */
  readonly redact: ContentRedactor | undefined;
  /** Describes a tool by its name. */
  readonly describe: ((name: string) => string | undefined) | undefined;
}

/** One span and one measurement for each call. No method throws, even if tracer or meter do. */
export class CallSpans {
  readonly #options: CallSpansOptions;
  readonly #open = new OpenCalls((call) => this.#abandon(call));
  /** Under this key a context holds the id of the call whose tool runs in it. */
  readonly #running = createContextKey("the running tool call");
  readonly #names = new Set<string>();
  #histogram: Histogram | undefined;

  constructor(options: CallSpansOptions) {
    this.#options = options;
  }

  /** Starts the span of a call. */
  start(call: CallOf, sent: unknown): void {
    attempt(() => this.#open.add(this.#begin(call, sent)));
  }

  /** Ends the span of a call. */
  end(callId: string, name: string, result: ToolResult, durationMs: number): void {
    const call = this.#open.take(callId, name);
    if (call !== undefined) this.#finish(call, result, durationMs);
  }

  /** The span of a call that was answered without running anything. */
  replayed(of: CallOf, result: ToolResult): void {
    const call = attempt(() => this.#begin(of, undefined));
    if (call === undefined) return;
    attempt(() => call.span.setAttribute("dispatch.tool.replayed", true));
    this.#describeEnd(call, result);
    attempt(() => call.span.end());
  }

  /** Runs a tool with its call's span as the active one; a call without a span gets one here. */
  run(of: CallOf, params: unknown, next: () => Promise<ToolResult>): Promise<ToolResult> {
    const known = this.#open.enter(of.callId, of.name);
    if (known !== undefined) return within(known.context, next);
    const own = attempt(() => this.#begin(of, params));
    if (own === undefined) return next();
    return within(own.context, next).then((result) => {
      this.#finish(own, result, performance.now() - own.startedAt);
      return result;
    });
  }

  #begin({ callId, parentCallId, name }: CallOf, sent: unknown): OpenCall {
    const { tracer = trace.getTracer(SCOPE) } = this.#options;
    const active = context.active();
    // Inside the tool that makes the call, the active span may be one of the tool's own.
    const isInside = parentCallId === undefined || active.getValue(this.#running) === parentCallId;
    const parent = isInside ? active : (this.#open.find(parentCallId)?.context ?? active);
    const attributes: Attributes = {
      [GEN_AI.operationName]: OPERATION,
      [GEN_AI.toolName]: truncate(name, MAX_NAME),
      [GEN_AI.toolType]: TOOL_TYPE,
      [GEN_AI.callId]: truncate(callId, MAX_NAME),
    };
    const description = attempt(() => this.#options.describe?.(name));
    if (typeof description === "string") attributes[GEN_AI.toolDescription] = truncate(description, 1_024);
    const content = this.#content(sent, "arguments", name);
    if (content !== undefined) attributes[GEN_AI.callArguments] = content;
    const spanName = `${OPERATION} ${truncate(name, MAX_NAME)}`.trimEnd();
    const span = tracer.startSpan(spanName, { kind: SpanKind.INTERNAL, attributes }, parent);
    const own = trace.setSpan(parent, span).setValue(this.#running, callId);
    return { callId, name, span, context: own, startedAt: performance.now(), isEntered: false };
  }

  #content(value: unknown, kind: ContentKind, name: string): string | undefined {
    const { captureContent, redact } = this.#options;
    return captureContent && value !== undefined ? contentOf(value, kind, truncate(name, MAX_NAME), redact) : undefined;
  }

  #finish(call: OpenCall, result: ToolResult, durationMs: number): void {
    this.#describeEnd(call, result);
    attempt(() => this.#measure(call, result, durationMs));
    attempt(() => call.span.end());
  }

  #describeEnd({ span, name }: OpenCall, result: ToolResult): void {
    attempt(() => {
      if (result.success) {
        const text = this.#content(result.output, "result", name);
        if (text !== undefined) span.setAttribute(GEN_AI.callResult, text);
        return;
      }
      // Span names must be few; a model invents any number of tool names.
      if (isUnknown(name, result)) span.updateName(OPERATION);
      span.setAttribute(GEN_AI.errorType, truncate(result.code, MAX_NAME));
      const message = this.#content(result.error, "error", name);
      span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
    });
  }

  #measure(call: OpenCall, result: ToolResult, durationMs: number): void {
    // Made when first needed: an instrument made before a provider is registered never records.
    const { meter = metrics.getMeter(SCOPE) } = this.#options;
    this.#histogram ??= meter.createHistogram(DURATION.name, DURATION.options);
    const attributes = {
      [GEN_AI.toolName]: this.#seriesOf(call.name, result),
      [GEN_AI.toolType]: TOOL_TYPE,
      ...(!result.success && { [GEN_AI.errorType]: truncate(result.code, MAX_NAME) }),
    };
    this.#histogram.record(durationMs / 1_000, attributes, call.context);
  }

  #seriesOf(name: string, result: ToolResult): string {
    if (isUnknown(name, result)) return OTHER;
    if (this.#names.size < MAX_NAMES) this.#names.add(name);
    return this.#names.has(name) ? truncate(name, MAX_NAME) : OTHER;
  }

  #abandon({ span }: OpenCall): void {
    attempt(() => span.setAttribute(GEN_AI.errorType, OTHER));
    attempt(() => span.setStatus({ code: SpanStatusCode.ERROR, message: "no longer waited for" }));
    attempt(() => span.end());
  }
}

function isUnknown(name: string, result: ToolResult): boolean {
  return name === "" || (!result.success && result.code === "tool_not_found");
}

function within(inner: Context, next: () => Promise<ToolResult>): Promise<ToolResult> {
  let result: Promise<ToolResult> | undefined;
  attempt(() =>
    context.with(inner, () => {
      result = next();
    }),
  );
  // A context manager that throws must not keep the tool from running.
  return result ?? next();
}

/** An error in telemetry never changes the end of a call. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The recorded form of a value: redacted, then cut. `undefined` records nothing. Never throws. */
function contentOf(
  value: unknown,
  kind: ContentKind,
  name: string,
  redact: ContentRedactor = maskSecrets,
): string | undefined {
  try {
    const text = typeof value === "string" ? value : toJsonText(value);
    if (text.length > MAX_REDACTED) return `(not recorded: ${text.length} characters)`;
    const redacted: unknown = redact(text, { kind, name });
    return typeof redacted === "string" ? truncate(redacted, MAX_CONTENT) : undefined;
  } catch {
    return undefined;
  }
}

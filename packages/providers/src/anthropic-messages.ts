import type { MediaPart, ModelTurns, ToolCall, ToolResult } from "@dispatch/tools-interface";
import {
  MODEL_NAMES,
  type OptionNames,
  type SourceTool,
  type ToolSource,
  checkOptions,
} from "@dispatch/tools-interface/internal";
import { type AnswerEnds, endOfAnswer, markCutOff } from "./answer-end.ts";
import { ANTHROPIC_STRICT, StrictBudget } from "./anthropic-strict.ts";
import type {
  AnthropicContentBlock,
  AnthropicImageBlock,
  AnthropicResultMessage,
  AnthropicToolReference,
  AnthropicToolResult,
} from "./anthropic-types.ts";
import { loadFound } from "./found-tools.ts";
import { fieldOf, objectsIn, readWireCall, sumOf } from "./read-calls.ts";
import { type AnsweredCall, PDF, SUPPORTED_IMAGES, answeredCalls, writeParts } from "./result-parts.ts";
import { collectChanges } from "./wire/format-report.ts";
import { renameRootFields, toRootObject } from "./wire/root-object.ts";
import {
  type LoadOptions,
  type PreparedSchema,
  type StrictOptions,
  type WireTools,
  asksStrict,
  compileStrict,
  createWireTools,
} from "./wire/wire-tools.ts";

/** A tool as the Messages API takes it. */
export interface AnthropicTool {
  /** Up to 64 letters, digits, `_` and `-`. */
  name: string;
  /** Describes the tool to a model. */
  description: string;
  /** JSON Schema of the input, a plain object at its root. */
  input_schema: {
    /** Always `object`. */
    type: "object";
    /** Everything else of the schema. */
    [keyword: string]: unknown;
  };
  /** Whether the API enforces the schema. Left out when not. */
  strict?: true;
  /** Caches the tools up to this one. */
  cache_control?: AnthropicCacheControl;
  /** Calls for the model to learn from. */
  input_examples?: { [field: string]: unknown }[];
  /** Whether the input of a call is streamed as it is made. */
  eager_input_streaming?: boolean;
  /** Whether the model sees the tool only once a search has found it. Left out if false. */
  defer_loading?: true;
  /** Who may call the tool: `direct` is the model. Left out for the model alone. */
  allowed_callers?: ("direct" | AnthropicCodeExecution)[];
}

/** A code execution tool of the API, by its version. */
export type AnthropicCodeExecution = "code_execution_20250825" | "code_execution_20260120" | "code_execution_20260521";

/** How long the API keeps the tools. */
export interface AnthropicCacheControl {
  /** Always. */
  type: "ephemeral";
  /** Default five minutes. */
  ttl?: "5m" | "1h";
}

/** Options of `toAnthropicTools`. */
export interface AnthropicToolOptions extends StrictOptions, LoadOptions {
  /**
   * Whether deferred tools go out from the beginning, marked `defer_loading`, and searches are answered with references to
   * them, which models from 2026 on and Anthropic's own API understand. Otherwise found tools are appended. Default true.
   */
  readonly nativeSearch?: boolean;
  /**
   * The code execution tool of the API that the request has besides: tools for programs then go out with
   * `allowed_callers`, those for programs only too. Default none.
   */
  readonly programs?: AnthropicCodeExecution;
  /** Set on the last tool that is not deferred, so that the API caches all of them. Default none. */
  readonly cacheControl?: AnthropicCacheControl;
  /** Calls for the model to learn from, by the tools' own names. Each has to fit the tool's schema. Default none. */
  readonly inputExamples?: { readonly [tool: string]: readonly { readonly [field: string]: unknown }[] };
  /** Whether the input of calls is streamed as it is made: of all tools, of none, or of the tools named. Default unsaid. */
  readonly eagerInputStreaming?: boolean | readonly string[];
}

/** The names of the options of `toAnthropicTools`. */
export const ANTHROPIC_OPTIONS: OptionNames<AnthropicToolOptions> = {
  strict: true,
  loaded: true,
  nativeSearch: true,
  programs: true,
  cacheControl: true,
  inputExamples: true,
  eagerInputStreaming: true,
};

/**
 * Tools for the Messages API of Anthropic.
 *
 * @throws {ToolError} Code `duplicate_tool` when two of a list have one name.
 *
 * @example
 * ```ts
 * const wire = toAnthropicTools(registry, { strict: ["write_file"] });
 * const message = await client.messages.create({ model, max_tokens, messages, tools: wire.tools });
 * const calls = fromAnthropicMessage(message, wire);
 * const results = await registry.dispatchAll(calls, { context });
 * messages.push({ role: "assistant", content: message.content }, toAnthropicResults(calls, results, wire));
 * ```
 */
export function toAnthropicTools(source: ToolSource, options: AnthropicToolOptions = {}): WireTools<AnthropicTool> {
  checkOptions("make tools for Anthropic", options, ANTHROPIC_OPTIONS);
  const budget = new StrictBudget();
  const {
    inputExamples = {},
    eagerInputStreaming: eager,
    cacheControl,
    nativeSearch = true,
    programs,
    loaded,
  } = options;
  const wire = createWireTools(
    source,
    MODEL_NAMES,
    (tool) => prepare(tool, asksStrict(options, tool) ? budget : undefined),
    ({ tool: { name, description }, wireName, schema, strict, callers, isDeferred }): AnthropicTool => {
      const examples = Object.hasOwn(inputExamples, name) ? inputExamples[name] : undefined;
      return {
        name: wireName,
        description,
        input_schema: { ...schema, type: "object" },
        ...(strict && { strict }),
        ...(examples && { input_examples: examples.map((example) => ({ ...example })) }),
        ...(eager !== undefined && {
          eager_input_streaming: typeof eager === "boolean" ? eager : eager.includes(name),
        }),
        ...(isDeferred && nativeSearch && { defer_loading: true }),
        ...(programs !== undefined &&
          callers.includes("program") && {
            allowed_callers: callers.map((caller) => (caller === "model" ? "direct" : programs)),
          }),
      };
    },
    { loaded, deferral: nativeSearch ? "marked" : "appended", programs: programs !== undefined },
  );
  // The API refuses it on a deferred tool, and an appended one comes after the cached part.
  const appended = nativeSearch ? 0 : (wire.deferred?.found.length ?? 0);
  const last = wire.tools.slice(0, wire.tools.length - appended).findLast((tool) => tool.defer_loading !== true);
  if (cacheControl !== undefined && last !== undefined) last.cache_control = { ...cacheControl };
  return wire;
}

function prepare(tool: SourceTool, budget: StrictBudget | undefined): PreparedSchema {
  const { changes, note } = collectChanges();
  const plain = renameRootFields(toRootObject(tool.parameters, note), note);
  const loose = { schema: plain.schema, plans: [plain.plan], strict: false, changes };
  if (budget === undefined) return loose;
  const compiled = compileStrict(plain.schema, ANTHROPIC_STRICT);
  const notStrict = typeof compiled === "string" ? compiled : budget.take(compiled.schema);
  if (typeof compiled === "string" || notStrict !== undefined) return { ...loose, notStrict };
  const { schema, plan } = compiled;
  return { schema, plans: [plan, plain.plan], strict: true, changes: [...changes, ...compiled.changes] };
}

/** Reasons for which a message with calls ends complete. Servers that imitate the API say `end_turn`. */
const COMPLETE: ReadonlySet<string> = new Set(["tool_use", "end_turn", "pause_turn"]);

/**
 * The calls in a message of the Messages API, in order; none for anything that is no such message. Tools that the API
 * runs itself are not among them. A last call in which the message was cut off, at `max_tokens` or by a refusal, or in
 * a stream without an end, is marked `cutOff` and will not be executed.
 *
 * @param message - A whole message, or one put together from a stream.
 * @param wire - The result of `toAnthropicTools`: gives the tools their own names back, and the input its own shape.
 *
 * @example
 * ```ts
 * const message = await client.messages.create({ model, max_tokens, messages, tools: wire.tools });
 * const calls = fromAnthropicMessage(message, wire);
 * ```
 */
export function fromAnthropicMessage(message: unknown, wire?: WireTools): ToolCall[] {
  const blocks = objectsIn(fieldOf(message, "content"));
  const calls = blocks
    .filter(({ type }) => type === "tool_use")
    .map(({ id, name, input, caller }) => {
      const type = fieldOf(caller, "type");
      const isProgram = type !== undefined && type !== "direct";
      return readWireCall({ id, turn: fieldOf(message, "id"), name, params: input, isProgram }, wire);
    });
  return markCutOff(calls, fieldOf(message, "stop_reason"), COMPLETE, blocks.at(-1)?.["type"] === "tool_use");
}

const ENDS: AnswerEnds = {
  complete: new Set(["tool_use", "end_turn", "stop_sequence"]),
  paused: new Set(["pause_turn"]),
  length: new Set(["max_tokens"]),
};

/** The counts that together are the tokens of a request and its answer. */
const USED = ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"] as const;

/**
 * The adapter of the Messages API for `runTools`: reads each message, and appends it and the results of its calls.
 *
 * @param messages - The conversation. It is appended to.
 * @param wire - The result of `toAnthropicTools`.
 *
 * @example
 * ```ts
 * const { end } = await runTools(registry, {
 *   ...anthropicTurns(messages, wire),
 *   ask: (signal) => client.messages.create({ model, max_tokens, messages, tools: wire.tools }, { signal }),
 * });
 * ```
 */
export function anthropicTurns(messages: unknown[], wire: WireTools): ModelTurns {
  return {
    read(message) {
      const used = fieldOf(message, "usage");
      return {
        calls: fromAnthropicMessage(message, wire),
        ...endOfAnswer(fieldOf(message, "stop_reason"), ENDS),
        tokens: sumOf(...USED.map((count) => fieldOf(used, count))),
      };
    },
    add(message, calls, results) {
      // The API refuses to be sent back the empty texts and messages that it sometimes sends.
      const blocks = objectsIn(fieldOf(message, "content"));
      const content = blocks.filter(
        ({ type, text }) => type !== "text" || (typeof text === "string" && text.trim() !== ""),
      );
      if (content.length > 0) messages.push({ role: "assistant", content });
      if (calls.length > 0) messages.push(toAnthropicResults(calls, results, wire));
    },
  };
}

/**
 * The message that answers the calls of a turn. Append it after the assistant's message that holds them. A result's
 * metadata, data and repairs are never in it.
 *
 * @param wire - The result of `toAnthropicTools`: receives the tools that a search has found.
 * @throws {ToolError} Code `results_mismatch` when there is not one result a call.
 *
 * @example
 * ```ts
 * const results = await registry.dispatchAll(calls, { context });
 * messages.push(toAnthropicResults(calls, results, wire));
 * ```
 */
export function toAnthropicResults(
  calls: readonly ToolCall[],
  results: readonly ToolResult[],
  wire?: Pick<WireTools, "deferred">,
): AnthropicResultMessage {
  const content = answeredCalls("Anthropic", calls, results).map((one) => toToolResult(one, wire));
  return { role: "user", content };
}

/** References to the tools that a call has found; empty for other calls, and where found tools are appended. */
export function toolReferences(
  answered: Pick<AnsweredCall, "call" | "result">,
  wire: Pick<WireTools, "deferred"> | undefined,
): AnthropicToolReference[] {
  const found = loadFound(answered, wire) as readonly AnthropicTool[];
  return found.flatMap((tool) => (tool.defer_loading ? { type: "tool_reference", tool_name: tool.name } : []));
}

/** The content of a result. */
export function toAnthropicContent(result: ToolResult): string | AnthropicContentBlock[] {
  const blocks = writeParts<AnthropicContentBlock>(result, (text) => ({ type: "text", text }), toBlock);
  const [first] = blocks;
  if (blocks.length === 1 && first?.type === "text") return first.text;
  // The API refuses a text block without text.
  return blocks.filter((block) => block.type !== "text" || block.text !== "");
}

function toBlock(part: MediaPart): AnthropicContentBlock | undefined {
  const { type, data, mimeType } = part;
  if (type === "image" && isShown(mimeType)) {
    return { type: "image", source: { type: "base64", media_type: mimeType, data } };
  }
  if (type !== "file" || mimeType !== PDF) return undefined;
  const title = part.name === undefined ? {} : { title: part.name };
  return { type: "document", source: { type: "base64", media_type: PDF, data }, ...title };
}

function toToolResult(answered: AnsweredCall, wire: Pick<WireTools, "deferred"> | undefined): AnthropicToolResult {
  const { call, result } = answered;
  const references = toolReferences(answered, wire);
  const content = references.length > 0 ? references : toAnthropicContent(result);
  return {
    type: "tool_result",
    tool_use_id: call.id ?? "",
    ...(content.length > 0 && { content }),
    ...(!result.success && { is_error: true }),
  };
}

type ShownType = AnthropicImageBlock["source"]["media_type"];

function isShown(mimeType: string): mimeType is ShownType {
  return SUPPORTED_IMAGES.has(mimeType);
}

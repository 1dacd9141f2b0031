import {
  type AnyToolRegistry,
  type DispatchArguments,
  type DispatchOptions,
  type JsonSchema,
  type MediaPart,
  type ModelTurns,
  type ToolCall,
  type ToolResult,
  shouldStop,
} from "@dispatch/tools-interface";
import {
  DISPATCH_OPTIONS,
  MODEL_NAMES,
  type OptionNames,
  type SourceTool,
  type ToolSource,
  checkOptions,
  isJsonObject,
  isNumberedId,
  shownText,
} from "@dispatch/tools-interface/internal";
import { FailedCallError, dispatchForAgent } from "./wire/agent-calls.ts";
import { collectChanges } from "./wire/format-report.ts";
import {
  type AnswerEnds,
  endOfAnswer,
  fieldOf,
  markCutOff,
  objectsIn,
  readWireCall,
  sumOf,
} from "./wire/read-calls.ts";
import { type AnsweredCall, PDF, SUPPORTED_IMAGES, answeredCalls, writeContent } from "./wire/result-parts.ts";
import { renameRootFields, toRootObject } from "./wire/root-object.ts";
import { type StrictDialect, strictSchemas } from "./wire/strict-schema.ts";
import {
  type LoadOptions,
  type PreparedSchema,
  type StrictOptions,
  type WireTools,
  asksStrict,
  compileStrict,
  createWireTools,
  loadFound,
} from "./wire/wire-tools.ts";
export { FailedCallError } from "./wire/agent-calls.ts";
export type { FormatChange, FormatChangeKind, ToolReport } from "./wire/format-report.ts";
export type { DeferredTools, LoadOptions, StrictOptions, WireTools } from "./wire/wire-tools.ts";
export type { ModelTurns } from "@dispatch/tools-interface";
export type { SourceTool, ToolSource, WireNames } from "@dispatch/tools-interface/internal";

/** The content of a tool result. */
export type AnthropicContentBlock =
  | { type: "text"; text: string }
  | { type: "image"; source: { type: "base64"; media_type: ShownType; data: string } }
  | { type: "document"; source: { type: "base64"; media_type: typeof PDF; data: string }; title?: string }
  /** A deferred tool that a search has found. */
  | { type: "tool_reference"; tool_name: string };

type ShownType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

/** The result of one tool use. */
export interface AnthropicToolResult {
  /** Marks the kind of block. */
  type: "tool_result";
  /** The id of the `tool_use` block. */
  tool_use_id: string;
  /** Content for the model. Left out if there is none. */
  content?: string | AnthropicContentBlock[];
  /** True for a failure. Left out for a success. */
  is_error?: true;
}

/** The message with all results of a turn. */
export interface AnthropicResultMessage {
  /** Results come from the user's side. */
  role: "user";
  /** One block a call, in the order of the calls. Text for the model may be added after them, not before. */
  content: AnthropicToolResult[];
}

/** A tool as the Messages API takes it. */
export interface AnthropicTool {
  /** Up to 64 letters, digits, `_` and `-`. */
  name: string;
  /** Describes the tool to a model. */
  description: string;
  /** JSON Schema of the input, a plain object at its root. */
  input_schema: {
    type: "object";
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

/** How long the API keeps the tools, by default five minutes. */
export type AnthropicCacheControl = { type: "ephemeral"; ttl?: "5m" | "1h" };

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
const ANTHROPIC_OPTIONS: OptionNames<AnthropicToolOptions> = {
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
    {
      loaded,
      deferral: nativeSearch ? "marked" : "appended",
      programs: programs !== undefined,
      named: { strict: options.strict, eagerInputStreaming: eager, inputExamples: Object.keys(inputExamples) },
    },
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
function toolReferences(
  answered: Pick<AnsweredCall, "call" | "result">,
  wire: Pick<WireTools, "deferred"> | undefined,
): AnthropicContentBlock[] {
  const found = loadFound(answered, wire) as readonly AnthropicTool[];
  return found.flatMap((tool) => (tool.defer_loading ? { type: "tool_reference", tool_name: tool.name } : []));
}

/** The content of a result. */
function toAnthropicContent(result: ToolResult): string | AnthropicContentBlock[] {
  const content = writeContent<AnthropicContentBlock>(result, (text) => ({ type: "text", text }), toBlock);
  // The API refuses a text block without text.
  return typeof content === "string" ? content : content.filter((block) => block.type !== "text" || block.text !== "");
}

function toBlock(part: MediaPart): AnthropicContentBlock | undefined {
  const { type, data, mimeType } = part;
  if (type === "image" && SUPPORTED_IMAGES.has(mimeType)) {
    return { type: "image", source: { type: "base64", media_type: mimeType as ShownType, data } };
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

const FORMATS = new Set<unknown>([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "uri",
  "ipv4",
  "ipv6",
  "uuid",
]);

/**
 * The subset of JSON Schema that Anthropic enforces, from its page on structured outputs as of 2026-11. It takes simple
 * patterns too; they are left to the description, because all strict tools of a request share one grammar whose size is
 * limited.
 */
const ANTHROPIC_STRICT: StrictDialect = {
  label: "Anthropic strict",
  optional: "absent",
  allowsRecursion: false,
  distinctFirstFields: false,
  allowsDefault: true,
  allows: (keyword, value) =>
    (keyword === "format" && FORMATS.has(value)) || (keyword === "minItems" && (value === 0 || value === 1)),
  refuse: () => undefined,
};

/** Limits for all strict tools of one request together, from the same page. */
const REQUEST_LIMITS = { tools: 20, optional: 24, unions: 16 };

/** Assigns the limits of one request: first come, first served, so that a tool added later changes none before it. */
class StrictBudget {
  #tools = 0;
  #optional = 0;
  #unions = 0;

  /** Takes a strict schema's share, or says why there is none left for it. */
  take(schema: JsonSchema): string | undefined {
    const { optional, unions } = countChoices(schema);
    const over = (what: string, limit: number): string =>
      `Anthropic takes at most ${limit} ${what} in all strict tools of one request: name the tools that need it in \`strict\``;
    if (this.#tools + 1 > REQUEST_LIMITS.tools) return over("tools", REQUEST_LIMITS.tools);
    if (this.#optional + optional > REQUEST_LIMITS.optional) return over("optional fields", REQUEST_LIMITS.optional);
    if (this.#unions + unions > REQUEST_LIMITS.unions) return over("unions", REQUEST_LIMITS.unions);
    this.#tools += 1;
    this.#optional += optional;
    this.#unions += unions;
    return undefined;
  }
}

function countChoices(strict: JsonSchema): { readonly optional: number; readonly unions: number } {
  let [optional, unions] = [0, 0];
  for (const { schema } of strictSchemas(strict)) {
    const { properties, required, anyOf, type } = schema;
    if (Array.isArray(anyOf) || Array.isArray(type)) unions += 1;
    if (isJsonObject(properties))
      optional += Object.keys(properties).length - (Array.isArray(required) ? required.length : 0);
  }
  return { optional, unions };
}

/** A tool as `client.beta.messages.toolRunner` runs it. */
export interface AnthropicRunnerTool extends AnthropicTool {
  /** Runs the call through the registry. Throws a failure: the runner answers with its text and `is_error`. */
  run: (
    input: unknown,
    context?: { toolUse?: { id: string }; signal?: AbortSignal | null | undefined },
  ) => Promise<string | AnthropicContentBlock[]>;
  /** Takes every input: the registry validates. */
  parse: (input: unknown) => unknown;
}

/** Options of the runner's tools, beside those of `dispatch`. */
export type AnthropicRunnerOptions = Omit<AnthropicToolOptions, "nativeSearch">;

/** The dispatch options of a registry and those of the runner. Required when one of its tools needs context. */
export type AnthropicRunnerArguments<Registry extends AnyToolRegistry> = {
  [Index in keyof DispatchArguments<Registry>]: DispatchArguments<Registry>[Index] & AnthropicRunnerOptions;
};

/** The parts used of the SDK's runner. */
export interface AnthropicToolRunner {
  /** The parameters of its requests. */
  readonly params: { readonly tools?: readonly object[] | undefined };
  /** Runs the calls of the last answer, and keeps their results for the next request. */
  generateToolResponse(): Promise<{ content: string | object[] } | null>;
}

/** A registry for `client.beta.messages.toolRunner`. */
export interface AnthropicRunner {
  /** The tools of the runner. */
  tools: AnthropicRunnerTool[];
  /**
   * Runs the calls of an answer, in the iteration over the runner. Runs none of an answer that was cut off, and the
   * registry answers calls of unknown tools.
   *
   * @param runner - The runner.
   * @param answer - A value it yields: a message, or the stream of one.
   * @returns Whether a result says `stopLoop`: leave the iteration.
   */
  answerCalls: (runner: AnthropicToolRunner, answer: object) => Promise<boolean>;
}

/**
 * Everything of a registry for `client.beta.messages.toolRunner` of Anthropic's SDK: the tools, and `answerCalls` for the
 * iteration over the runner, which ends it for `stopLoop`. Each call goes through the registry: the same validation,
 * approval, time limit and transcript as any other. Without `answerCalls` the runner itself answers for tools it was not
 * given, and runs the calls of an answer that was cut off.
 *
 * @param registry - Its advertised tools are taken.
 * @param options - Dispatch options of every call, and how the tools are converted. The signal of the runner cancels in
 * addition to the one given here.
 *
 * @example
 * ```ts
 * const { tools, answerCalls } = toAnthropicRunner(registry, { context: { worktreePath }, transcript, approve });
 * const runner = client.beta.messages.toolRunner({ model, max_tokens, messages, tools });
 * for await (const message of runner) if (await answerCalls(runner, message)) break;
 * ```
 */
export function toAnthropicRunner<Registry extends AnyToolRegistry>(
  registry: Registry,
  ...options: AnthropicRunnerArguments<Registry>
): AnthropicRunner {
  const [given = {}] = options as readonly unknown[] as readonly [(AnthropicRunnerOptions & DispatchOptions)?];
  const { nativeSearch: _native, ...names } = ANTHROPIC_OPTIONS;
  checkOptions("make tools for Anthropic's runner", given, { ...names, ...DISPATCH_OPTIONS });
  const { strict, cacheControl, inputExamples, eagerInputStreaming, programs, loaded, ...own } = given;
  const shown = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(names, name)));
  // The runner is given its tools once: found ones could not be appended.
  const wire = toAnthropicTools(registry, { ...shown, nativeSearch: true });
  /** The calls whose results say `stopLoop`, until the answer they belong to is over. */
  const stopping = new Set<unknown>();
  let answering: object | undefined;
  const tools = wire.tools.map((tool): AnthropicRunnerTool => ({
    ...tool,
    parse: (input) => input,
    async run(input, context) {
      const id = context?.toolUse?.id;
      // An id of the API's own tells the call also where no answer is known.
      const isNumbered = id !== undefined && isNumberedId(id, tool.name);
      const turn = isNumbered && answering !== undefined ? fieldOf(await messageOf(answering), "id") : undefined;
      const call = readWireCall({ id, turn, name: tool.name, params: input }, wire);
      const result = await dispatchForAgent(registry, call, own, context?.signal ?? undefined);
      if (id !== undefined && shouldStop([result])) stopping.add(id);
      if (!result.success) throw new FailedCallError(result);
      const references = toolReferences({ call, result }, wire);
      return references.length > 0 ? references : toAnthropicContent(result);
    },
  }));
  return {
    tools,
    async answerCalls(runner, answer) {
      answering = answer;
      const message = await messageOf(answer);
      if (fieldOf(message, "stop_reason") !== "tool_use") return false;
      const response = await runner.generateToolResponse().finally(() => (answering = undefined));
      const blocks = objectsIn(response?.content) as readonly Record<string, unknown>[];
      const known = new Set(objectsIn(runner.params.tools).map(({ name }) => name));
      const calls = objectsIn(fieldOf(message, "content")).filter(({ type }) => type === "tool_use");
      for (const { id, name, input } of calls) {
        const block = blocks.find((one) => one["tool_use_id"] === id);
        if (known.has(name) || block === undefined) continue;
        // A tool that is not advertised runs, as in any other loop.
        const turn = isNumberedId(String(id), String(name)) ? fieldOf(message, "id") : undefined;
        const result = await registry.dispatch(readWireCall({ id, turn, name, params: input }, wire), own);
        if (shouldStop([result])) stopping.add(id);
        block["content"] = result.success ? toAnthropicContent(result) : `Error: ${shownText(result)}`;
        if (result.success) delete block["is_error"];
      }
      return calls.filter(({ id }) => stopping.delete(id)).length > 0;
    },
  };
}

/** The message of an answer, which is one, or the stream of one. */
function messageOf(answer: object): unknown {
  const { finalMessage } = answer as { finalMessage?: unknown };
  return typeof finalMessage === "function" ? (finalMessage.call(answer) as unknown) : answer;
}

import type { MediaPart, ModelTurns, ToolCall, ToolResult } from "@dispatch/tools-interface";
import {
  MODEL_NAMES,
  type SourceTool,
  type ToolSource,
  checkOptions,
  isNumberedId,
} from "@dispatch/tools-interface/internal";
import { prepareForOpenAi } from "./wire/openai-schema.ts";
import {
  type AnswerEnds,
  endOfAnswer,
  fieldOf,
  markCutOff,
  objectsIn,
  readWireCall,
  sumOf,
} from "./wire/read-calls.ts";
import {
  type AnsweredCall,
  PDF,
  SUPPORTED_IMAGES,
  answeredCalls,
  dataUrl,
  fileName,
  textWithFollowers,
  writeContent,
} from "./wire/result-parts.ts";
import {
  type LoadOptions,
  type StrictOptions,
  type WireTools,
  createWireTools,
  isSearchCall,
  loadFound,
} from "./wire/wire-tools.ts";
export type { FormatChange, FormatChangeKind, ToolReport } from "./wire/format-report.ts";
export type { DeferredTools, LoadOptions, StrictOptions, WireTools } from "./wire/wire-tools.ts";
export type { SourceTool, ToolSource, WireNames } from "@dispatch/tools-interface/internal";

/** A tool as the Responses API takes it. */
export interface OpenAiTool {
  /** Marks the kind of tool. */
  type: "function";
  /** Up to 64 letters, digits, `_` and `-`. */
  name: string;
  /** Describes the tool to a model. */
  description: string;
  /** JSON Schema of the arguments. */
  parameters: { [keyword: string]: unknown };
  /** Whether the API enforces the schema. Always said: when it is left out the API makes the schema strict by itself. */
  strict: boolean;
  /** Whether the model sees the tool only once a search has found it. Left out if false. */
  defer_loading?: true;
  /** Who may call the tool: `direct` is the model. Left out for the model alone. */
  allowed_callers?: ("direct" | "programmatic")[];
}

/** The API's own tool search, which the registry answers. */
export interface OpenAiToolSearch {
  /** Marks the kind of tool. */
  type: "tool_search";
  /** The search comes as a `tool_search_call`, to be answered like a call. */
  execution: "client";
  /** Describes the tools that can be found. */
  description: string;
  /** JSON Schema of the arguments. */
  parameters: { [keyword: string]: unknown };
}

/** Options of `toOpenAiTools`. */
export interface OpenAiToolOptions extends StrictOptions, LoadOptions {
  /**
   * Whether deferred tools are found with the API's own tool search, answered by the registry: the tools found stand in the
   * conversation, so that nothing before them changes. Models before gpt-5.4 and servers that imitate the API lack it:
   * otherwise found tools are appended. Default true.
   */
  readonly nativeSearch?: boolean;
  /**
   * Whether the request has the API's tool `programmatic_tool_calling` besides: tools for programs then go out with
   * `allowed_callers`, those for programs only too. Default false.
   */
  readonly programs?: boolean;
}

/** One piece of a result's content. */
export type OpenAiOutputPart =
  | { type: "input_text"; text: string }
  | { type: "input_image"; image_url: string; detail: "auto" }
  | { type: "input_file"; filename: string; file_data: string };

/** The result of one call, an item of the next request's `input`. */
export interface OpenAiToolResult {
  /** Marks the kind of item. */
  type: "function_call_output";
  /** The `call_id` of the call. */
  call_id: string;
  /** Content for the model: text, or text and images. The API has no field for failures; their text says so. */
  output: string | OpenAiOutputPart[];
}

/** The tools that a search has found, an item of the next request's `input`. */
export interface OpenAiToolSearchOutput {
  /** Marks the kind of item. */
  type: "tool_search_output";
  /** The `call_id` of the search. */
  call_id: string;
  /** Who searched. */
  execution: "client";
  /** `incomplete` for a search that failed, which then says nothing of the tools there are. */
  status: "completed" | "incomplete";
  /** The tools found, which the model can call from now on. */
  tools: OpenAiTool[];
}

/**
 * Tools for the Responses API of OpenAI.
 *
 * @throws {ToolError} Code `duplicate_tool` when two of a list have one name.
 *
 * @example
 * ```ts
 * const wire = toOpenAiTools(registry, { strict: true });
 * const response = await client.responses.create({ model, input, tools: wire.tools });
 * const calls = fromOpenAiResponse(response, wire);
 * const results = await registry.dispatchAll(calls, { context });
 * input.push(...(response.output as typeof input), ...toOpenAiResults(calls, results, wire));
 * ```
 */
export function toOpenAiTools(source: readonly SourceTool[], options?: OpenAiToolOptions): WireTools<OpenAiTool>;
export function toOpenAiTools(
  source: ToolSource,
  options: OpenAiToolOptions & { readonly nativeSearch: false },
): WireTools<OpenAiTool>;
export function toOpenAiTools(
  source: ToolSource,
  options?: OpenAiToolOptions,
): WireTools<OpenAiTool | OpenAiToolSearch>;
export function toOpenAiTools(
  source: ToolSource,
  options: OpenAiToolOptions = {},
): WireTools<OpenAiTool | OpenAiToolSearch> {
  checkOptions("make tools for the Responses API", options, {
    strict: true,
    loaded: true,
    nativeSearch: true,
    programs: true,
  });
  const { nativeSearch = true, programs = false, loaded } = options;
  const wire = createWireTools<OpenAiTool | OpenAiToolSearch>(
    source,
    MODEL_NAMES,
    (tool) => prepareForOpenAi(tool, options),
    ({ tool: { description }, wireName, schema, strict, callers, isDeferred }) => ({
      type: "function",
      name: wireName,
      description,
      parameters: { ...schema },
      strict,
      ...(isDeferred && nativeSearch && { defer_loading: true }),
      ...(programs &&
        callers.includes("program") && {
          allowed_callers: callers.map((caller) => (caller === "model" ? "direct" : "programmatic")),
        }),
    }),
    { loaded, programs, deferral: nativeSearch ? "apart" : "appended", named: { strict: options.strict } },
  );
  if (nativeSearch && wire.deferred !== undefined) {
    const { description, parameters } = wire.deferred.searchTool;
    wire.tools.unshift({ type: "tool_search", execution: "client", description, parameters: { ...parameters } });
  }
  return wire;
}

const COMPLETE: ReadonlySet<string> = new Set(["completed"]);

/**
 * The calls in a response of the Responses API, in order; none for anything that is no such response. A call in which
 * the response was cut off is marked `cutOff` and will not be executed.
 *
 * @param response - A response, or its `output`.
 * @param wire - The result of `toOpenAiTools`: gives the tools their own names back, and the arguments their own shape.
 *
 * @example
 * ```ts
 * const response = await client.responses.create({ model, input, tools: wire.tools });
 * const calls = fromOpenAiResponse(response, wire);
 * ```
 */
export function fromOpenAiResponse(response: unknown, wire?: WireTools): ToolCall[] {
  const turn = fieldOf(response, "id");
  const items = objectsIn(Array.isArray(response) ? response : fieldOf(response, "output"));
  const calls = items.filter(isCall).flatMap((item) => {
    const name = item["type"] === SEARCH_CALL ? wire?.deferred?.searchTool.name : calledName(item);
    const isProgram = fieldOf(item["caller"], "type") === "program";
    const id = item["call_id"] ?? item["id"];
    return markCutOff(
      [readWireCall({ id, turn, name, params: item["arguments"], isProgram }, wire)],
      item["status"],
      COMPLETE,
    );
  });
  const end = endOf(response);
  return markCutOff(calls, end, COMPLETE, end === REFUSAL || isCall(items.at(-1)));
}

const SEARCH_CALL = "tool_search_call";

/** Searches that the API runs itself are no calls. */
function isCall(item: unknown): boolean {
  const type = fieldOf(item, "type");
  return type === "function_call" || (type === SEARCH_CALL && fieldOf(item, "execution") === "client");
}

const REFUSAL = "refusal";

/** Why a response ended: a refusal, the reason of an incomplete one, otherwise its status. */
function endOf(response: unknown): unknown {
  const parts = objectsIn(fieldOf(response, "output")).flatMap(({ content }) => objectsIn(content));
  if (parts.some(({ type }) => type === REFUSAL)) return REFUSAL;
  return fieldOf(fieldOf(response, "incomplete_details"), "reason") ?? fieldOf(response, "status");
}

const ENDS: AnswerEnds = { complete: COMPLETE, length: new Set(["max_output_tokens"]) };

/**
 * The adapter of the Responses API for `runTools`: reads each response, and appends its output and the results of its
 * calls.
 *
 * @param input - The conversation. It is appended to.
 * @param wire - The result of `toOpenAiTools`.
 *
 * @example
 * ```ts
 * const { end } = await runTools(registry, {
 *   ...openAiTurns(input, wire),
 *   ask: (signal) => client.responses.create({ model, input, tools: wire.tools }, { signal }),
 * });
 * ```
 */
export function openAiTurns(input: unknown[], wire: WireTools): ModelTurns {
  return {
    read: (response) => ({
      calls: fromOpenAiResponse(response, wire),
      ...endOfAnswer(endOf(response), ENDS),
      tokens: sumOf(fieldOf(fieldOf(response, "usage"), "total_tokens")),
    }),
    add: (response, calls, results) =>
      input.push(...objectsIn(fieldOf(response, "output")), ...toOpenAiResults(calls, results, wire)),
  };
}

/**
 * The items that answer the calls of a response, in the order of the calls. Append them to `input` after the response's
 * `output`, or send them with `previous_response_id`. A result's metadata, data and repairs are never in them. Where tools are
 * deferred, `wire` has to be given too.
 *
 * @throws {ToolError} Code `results_mismatch` when there is not one result a call.
 *
 * @example
 * ```ts
 * const results = await registry.dispatchAll(calls, { context });
 * input.push(...toOpenAiResults(calls, results, wire));
 * ```
 */
export function toOpenAiResults(calls: readonly ToolCall[], results: readonly ToolResult[]): OpenAiToolResult[];
/**
 * The items that answer the calls of a response, and those that answer its searches with the tools that were found.
 *
 * @param wire - The result of `toOpenAiTools`: receives the tools that a search has found.
 * @throws {ToolError} Code `results_mismatch` when there is not one result a call.
 */
export function toOpenAiResults(
  calls: readonly ToolCall[],
  results: readonly ToolResult[],
  wire?: WireTools,
): (OpenAiToolResult | OpenAiToolSearchOutput)[];
export function toOpenAiResults(
  calls: readonly ToolCall[],
  results: readonly ToolResult[],
  wire?: WireTools,
): (OpenAiToolResult | OpenAiToolSearchOutput)[] {
  return answeredCalls("OpenAI", calls, results).map(({ call, result }) => {
    const found = loadFound({ call, result }, wire);
    if (isSearchCall(call, wire) && objectsIn(wire?.tools)[0]?.["execution"] === "client") {
      const item = {
        type: "tool_search_output",
        call_id: call.id ?? "",
        execution: "client",
        status: result.success ? "completed" : "incomplete",
      } as const;
      return { ...item, tools: [...found] as OpenAiTool[] };
    }
    const output = writeContent<OpenAiOutputPart>(result, (text) => ({ type: "input_text", text }), toOutputPart);
    return { type: "function_call_output", call_id: call.id ?? "", output };
  });
}

function toOutputPart(part: MediaPart): OpenAiOutputPart | undefined {
  if (part.type === "image" && SUPPORTED_IMAGES.has(part.mimeType)) {
    return { type: "input_image", image_url: dataUrl(part), detail: "auto" };
  }
  if (part.type !== "file" || part.mimeType !== PDF) return undefined;
  return { type: "input_file", filename: fileName(part), file_data: dataUrl(part) };
}

/** The API calls a deferred function by its own name as the namespace. One of another namespace is another function. */
function calledName({ name, namespace }: { readonly [key: string]: unknown }): unknown {
  const isOurs = typeof namespace !== "string" || namespace === "" || namespace === name;
  return isOurs ? name : `${namespace}:${String(name)}`;
}

/** A tool as Chat Completions takes it, of OpenAI and of the many servers that speak it. */
export interface OpenAiChatTool {
  /** Marks the kind of tool. */
  type: "function";
  /** The tool itself. */
  function: {
    /** Up to 64 letters, digits, `_` and `-`. */
    name: string;
    description: string;
    parameters: { [keyword: string]: unknown };
    /** Whether the API enforces the schema. */
    strict: boolean;
  };
}

/** The result of one call. */
export interface OpenAiChatToolMessage {
  /** Marks the message as a result. */
  role: "tool";
  /** The id of the call. */
  tool_call_id: string;
  /** Text for the model. The API has no field for failures; their text says so. */
  content: string;
}

/** An image, a file or a recording. */
export type OpenAiChatMediaPart =
  | { type: "image_url"; image_url: { url: string } }
  | { type: "file"; file: { filename: string; file_data: string } }
  | { type: "input_audio"; input_audio: { data: string; format: "wav" | "mp3" } };

/** The images, files and recordings of all results of a turn, which the API takes from the user's side only. */
export interface OpenAiChatMediaMessage {
  /** They come from the user's side. */
  role: "user";
  /** Each after a line that names the call it belongs to. */
  content: ({ type: "text"; text: string } | OpenAiChatMediaPart)[];
}

/**
 * Tools for Chat Completions.
 *
 * @throws {ToolError} Code `duplicate_tool` when two of a list have one name.
 *
 * @example
 * ```ts
 * const wire = toOpenAiChatTools(registry, { strict: true });
 * const completion = await client.chat.completions.create({ model, messages, tools: wire.tools });
 * ```
 */
export function toOpenAiChatTools(
  source: ToolSource,
  options: StrictOptions & LoadOptions = {},
): WireTools<OpenAiChatTool> {
  checkOptions("make tools for Chat Completions", options, { strict: true, loaded: true });
  return createWireTools(
    source,
    MODEL_NAMES,
    (tool) => prepareForOpenAi(tool, options),
    ({ tool: { description }, wireName, schema, strict }) => ({
      type: "function",
      function: { name: wireName, description, parameters: { ...schema }, strict },
    }),
    { loaded: options.loaded, named: { strict: options.strict } },
  );
}

/** Reasons for which a message with calls ends complete, those of servers that imitate the API among them. */
const CHAT_COMPLETE: ReadonlySet<string> = new Set([
  "tool_calls",
  "tool_call",
  "function_call",
  "stop",
  "eos",
  "eos_token",
  "end_turn",
  "tool_use",
  "complete",
]);

/**
 * The calls in a chat completion, in order; none for anything that is no such completion. Of several choices the first
 * is read. The last call of a completion that was cut off (`length`, `content_filter`, a stream without an end) is
 * marked `cutOff` and will not be executed.
 *
 * @param completion - A completion, or the message of one of its choices, which lacks the reason of its end.
 * @param wire - The result of `toOpenAiChatTools`: gives the tools their own names back, and the arguments their own
 * shape.
 *
 * @example
 * ```ts
 * const completion = await client.chat.completions.create({ model, messages, tools: wire.tools });
 * const calls = fromOpenAiChatCompletion(completion, wire);
 * ```
 */
export function fromOpenAiChatCompletion(completion: unknown, wire?: WireTools): ToolCall[] {
  const [choice] = objectsIn(fieldOf(completion, "choices"));
  const message = choice === undefined ? completion : choice["message"];
  const turn = turnOf(completion);
  const calls = objectsIn(fieldOf(message, "tool_calls")).flatMap(({ id, function: called }) => {
    // Servers that speak the protocol leave out `type`, and some send arguments as an object.
    if (called === undefined) return [];
    return [readWireCall({ id, turn, name: fieldOf(called, "name"), params: fieldOf(called, "arguments") }, wire)];
  });
  return markCutOff(calls, reasonOf(message, choice), CHAT_COMPLETE);
}

function reasonOf(message: unknown, choice: unknown): unknown {
  const refused = fieldOf(message, "refusal");
  return typeof refused === "string" && refused !== "" ? "refusal" : fieldOf(choice, "finish_reason");
}

const CHAT_ENDS: AnswerEnds = { complete: CHAT_COMPLETE, length: new Set(["length", "max_tokens"]) };

/**
 * The adapter of Chat Completions for `runTools`: reads each completion, and appends its message and the results of its
 * calls.
 *
 * @param messages - The conversation. It is appended to.
 * @param wire - The result of `toOpenAiChatTools`.
 *
 * @example
 * ```ts
 * const { end } = await runTools(registry, {
 *   ...openAiChatTurns(messages, wire),
 *   ask: (signal) => client.chat.completions.create({ model, messages, tools: wire.tools }, { signal }),
 * });
 * ```
 */
export function openAiChatTurns(messages: unknown[], wire: WireTools): ModelTurns {
  return {
    read(completion) {
      const [choice] = objectsIn(fieldOf(completion, "choices"));
      return {
        calls: fromOpenAiChatCompletion(completion, wire),
        ...endOfAnswer(choice === undefined ? null : reasonOf(choice["message"], choice), CHAT_ENDS),
        tokens: sumOf(fieldOf(fieldOf(completion, "usage"), "total_tokens")),
      };
    },
    add(completion, calls, results) {
      const [choice] = objectsIn(fieldOf(completion, "choices"));
      if (choice !== undefined) messages.push(choice["message"]);
      messages.push(...toOpenAiChatResults(calls, results, wire));
    },
  };
}

/** With the time, because some servers number their completions or draw from few numbers. */
function turnOf(completion: unknown): string | undefined {
  const id = fieldOf(completion, "id");
  const created = fieldOf(completion, "created");
  if (typeof id !== "string" || id === "") return undefined;
  if (typeof created === "number") return `${id}@${created}`;
  return isNumberedId(id, "") ? undefined : id;
}

/**
 * The messages that answer the calls of a turn: one a call, in their order, and after them one with all images, files
 * and recordings if there are any. Append them after the assistant's message. A result's metadata, data and repairs are
 * never in them.
 *
 * @param wire - The result of `toOpenAiChatTools`: the tools that a search has found are appended to its `tools`.
 * @throws {ToolError} Code `results_mismatch` when there is not one result a call.
 *
 * @example
 * ```ts
 * const results = await registry.dispatchAll(calls, { context });
 * messages.push(...toOpenAiChatResults(calls, results, wire));
 * ```
 */
export function toOpenAiChatResults(
  calls: readonly ToolCall[],
  results: readonly ToolResult[],
  wire?: Pick<WireTools, "deferred">,
): (OpenAiChatToolMessage | OpenAiChatMediaMessage)[] {
  const answered = answeredCalls("OpenAI", calls, results);
  const media: OpenAiChatMediaMessage["content"] = [];
  for (const one of answered) loadFound(one, wire);
  const messages = answered.map((one) => toToolMessage(one, media));
  return media.length === 0 ? messages : [...messages, { role: "user", content: media }];
}

function toToolMessage(
  { call, index, result }: AnsweredCall,
  media: OpenAiChatMediaMessage["content"],
): OpenAiChatToolMessage {
  const of = `call ${index + 1} (${call.id ?? call.name})`;
  const content = textWithFollowers(result, of, (part, label) => {
    const shown = toMediaPart(part);
    if (shown !== undefined) media.push({ type: "text", text: label }, shown);
    return shown !== undefined;
  });
  return { role: "tool", tool_call_id: call.id ?? "", content };
}

const AUDIO_FORMATS: Readonly<Record<string, "wav" | "mp3">> = {
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
};

function toMediaPart(part: MediaPart): OpenAiChatMediaPart | undefined {
  const { type, data, mimeType } = part;
  if (type === "image") {
    return SUPPORTED_IMAGES.has(mimeType) ? { type: "image_url", image_url: { url: dataUrl(part) } } : undefined;
  }
  if (type === "file") {
    return mimeType === PDF
      ? { type: "file", file: { filename: fileName(part), file_data: dataUrl(part) } }
      : undefined;
  }
  const format = Object.hasOwn(AUDIO_FORMATS, mimeType) ? AUDIO_FORMATS[mimeType] : undefined;
  return format && { type: "input_audio", input_audio: { data, format } };
}

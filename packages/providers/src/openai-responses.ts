import type { MediaPart, ModelTurns, ToolCall, ToolResult } from "@dispatch/tools-interface";
import { MODEL_NAMES, type SourceTool, type ToolSource, checkOptions } from "@dispatch/tools-interface/internal";
import { type AnswerEnds, endOfAnswer, markCutOff } from "./answer-end.ts";
import { isSearch, loadFound } from "./found-tools.ts";
import { prepareForOpenAi } from "./openai-schema.ts";
import { fieldOf, objectsIn, readWireCall, sumOf } from "./read-calls.ts";
import { PDF, SUPPORTED_IMAGES, answeredCalls, dataUrl, fileName, writeParts } from "./result-parts.ts";
import { type Namespace, calledName, checkNamespaces, groupTools } from "./wire/namespaces.ts";
import { type LoadOptions, type StrictOptions, type WireTools, createWireTools } from "./wire/wire-tools.ts";

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

/** The API's own tool search, which the API runs by itself. */
export type OpenAiHostedToolSearch = Pick<OpenAiToolSearch, "type">;

/** Deferred tools of one group. The model sees the group before it finds one of them. */
export type OpenAiNamespace = Namespace<OpenAiTool>;

/** Options of `toOpenAiTools`. */
export interface OpenAiToolOptions extends StrictOptions, LoadOptions {
  /**
   * Whether deferred tools are found with the API's own tool search, answered by the registry: the tools found stand in the
   * conversation, so that nothing before them changes. Models before gpt-5.4 and servers that imitate the API lack it:
   * otherwise found tools are appended. Default true.
   */
  readonly nativeSearch?: boolean;
  /**
   * Has the API search by itself, among the deferred tools, which are all sent: those whose names begin with one of
   * these names and `.`, `/` or `__` as its namespace, whose description the model sees from the start. A deferred tool
   * that is registered later changes the cached part. Default: the registry searches, and there are no namespaces.
   */
  readonly namespaces?: Readonly<Record<string, string>>;
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
  options: OpenAiToolOptions & { readonly namespaces: Readonly<Record<string, string>> },
): WireTools<OpenAiTool | OpenAiHostedToolSearch | OpenAiNamespace>;
export function toOpenAiTools(
  source: ToolSource,
  options?: OpenAiToolOptions & { readonly namespaces?: never },
): WireTools<OpenAiTool | OpenAiToolSearch>;
export function toOpenAiTools(source: ToolSource, options: OpenAiToolOptions = {}): WireTools<AnyOpenAiTool> {
  checkOptions("make tools for the Responses API", options, {
    strict: true,
    loaded: true,
    nativeSearch: true,
    namespaces: true,
    programs: true,
  });
  const { nativeSearch = true, programs = false, loaded } = options;
  const namespaces = options.namespaces === undefined ? undefined : checkNamespaces(options.namespaces);
  if (namespaces !== undefined && !nativeSearch) {
    throw new TypeError("Cannot group tools: namespaces need the API's own search, but nativeSearch is false");
  }
  const wire = createWireTools<AnyOpenAiTool>(
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
    { loaded, programs, deferral: namespaces !== undefined ? "marked" : nativeSearch ? "apart" : "appended" },
  );
  if (namespaces !== undefined && wire.deferred !== undefined) {
    const search = wire.names.toWire(wire.deferred.searchTool.name);
    const functions = (wire.tools as OpenAiTool[]).filter(({ name }) => name !== search);
    wire.tools.splice(0, Infinity, { type: "tool_search" }, ...groupTools(functions, wire.names.fromWire, namespaces));
  } else if (nativeSearch && wire.deferred !== undefined) {
    const { description, parameters } = wire.deferred.searchTool;
    wire.tools.unshift({ type: "tool_search", execution: "client", description, parameters: { ...parameters } });
  }
  return wire;
}

type AnyOpenAiTool = OpenAiTool | OpenAiToolSearch | OpenAiHostedToolSearch | OpenAiNamespace;

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
    const name = item["type"] === SEARCH_CALL ? wire?.deferred?.searchTool.name : calledName(item, wire?.tools ?? []);
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
    if (isSearch(call, wire) && objectsIn(wire?.tools)[0]?.["execution"] === "client") {
      const item = {
        type: "tool_search_output",
        call_id: call.id ?? "",
        execution: "client",
        status: result.success ? "completed" : "incomplete",
      } as const;
      return { ...item, tools: [...found] as OpenAiTool[] };
    }
    const parts = writeParts<OpenAiOutputPart>(result, (text) => ({ type: "input_text", text }), toOutputPart);
    const [first] = parts;
    const output = parts.length === 1 && first?.type === "input_text" ? first.text : parts;
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

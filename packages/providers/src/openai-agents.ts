import {
  type AnyTool,
  type AnyToolRegistry,
  type Approver,
  type DispatchOptions,
  type JsonSchema,
  type MediaPart,
  type ToolResult,
  failure,
  shouldStop,
} from "@dispatch/tools-interface";
import {
  DISPATCH_OPTIONS,
  type NameRule,
  checkOptions,
  foundNames,
  isJsonObject,
  isNumberedId,
  recordAnswered,
  unknownTool,
} from "@dispatch/tools-interface/internal";
import { type ContextOfRegistry, FailedCallError, type NoOthers, dispatchForAgent } from "./wire/agent-calls.ts";
import { prepareForOpenAi } from "./wire/openai-schema.ts";
import { fieldOf, objectsIn, readWireCall } from "./wire/read-calls.ts";
import { PDF, SUPPORTED_IMAGES, dataUrl, fileName, writeContent } from "./wire/result-parts.ts";
import { type LoadOptions, type StrictOptions, type WireTools, createWireTools, loadFound } from "./wire/wire-tools.ts";
export { FailedCallError, type ContextOfRegistry } from "./wire/agent-calls.ts";
export type { LoadOptions, StrictOptions } from "./wire/wire-tools.ts";

/** A tool's answer beyond plain text, in the format of the Agents SDK. */
export type OpenAiAgentsOutputPart =
  | { type: "text"; text: string }
  | { type: "image"; image: string; detail: "auto" }
  | { type: "file"; file: { data: string; mediaType: string; filename: string } };

/** The parts read of the `RunContext` of a run. */
export interface OpenAiAgentsRunContext<Context = unknown> {
  /** The context that was given to `run`. */
  readonly context: Context;
  /** Whether a person has agreed to the call; `undefined` before they have answered. */
  isToolApproved(call: { toolName: string; callId: string }): boolean | undefined;
}

/** The options of `tool()` of `@openai/agents`. */
export interface OpenAiAgentsToolOptions<Context = unknown> {
  /** Letters, digits and `_`, up to 64. */
  name: string;
  /** Describes the tool to a model. */
  description: string;
  /** JSON Schema of the arguments, with the fields that the SDK requires and JSON Schema makes optional. */
  parameters: {
    type: "object";
    properties: Record<string, Record<string, unknown>>;
    required: string[];
    // oxlint-disable-next-line typescript/no-explicit-any -- the SDK's types want `false` beside `strict`, and else `true`
    additionalProperties: any;
  };
  /** Whether the API enforces the schema. */
  strict: boolean;
  /** Whether the model sees the tool only once a search has found it. Left out if false. */
  deferLoading?: true;
  /** Whether the run stops for a person's approval: the tool's own rule. False when `approve` is given. */
  needsApproval: boolean | ((runContext: { context: unknown }, input: unknown, callId?: string) => Promise<boolean>);
  /** Runs the call through the registry. Rejects for failures where `errorFunction` is `null`, and otherwise never. */
  execute: (
    input: unknown,
    runContext?: OpenAiAgentsRunContext<Context>,
    details?: { toolCall?: { callId: string; id?: string | undefined }; signal?: AbortSignal },
  ) => Promise<string | OpenAiAgentsOutputPart[]>;
  /** Only there to let failures end the run. */
  errorFunction?: null;
}

/** The functions of `@openai/agents` that make tools. */
export interface OpenAiAgentsSdk<Context, Tool, Search> {
  /** Makes a tool. */
  readonly tool: (options: OpenAiAgentsToolOptions<Context>) => Tool;
  /** Puts tools into a namespace. */
  readonly toolNamespace: (options: { name: string; description: string; tools: Tool[] }) => readonly Tool[];
  /** Makes the tool search of the Responses API. */
  readonly toolSearchTool: (options: OpenAiAgentsToolSearch<Context, Tool>) => Search;
}

/** The options of `toolSearchTool()` of `@openai/agents`. */
export interface OpenAiAgentsToolSearch<Context, Tool> {
  /** The registry searches, not the API. */
  execution: "client";
  /** Describes the search to a model. */
  description: string;
  /** JSON Schema of the arguments. */
  parameters: unknown;
  /** Answers the tools that a search finds. Never rejects, unless `errorFunction` is `null`. */
  execute: (search: {
    toolCall: { id?: string | undefined; arguments?: unknown; providerData?: Record<string, unknown> | undefined };
    runContext: OpenAiAgentsRunContext<Context>;
  }) => Promise<Tool[]>;
}

/** Options of an `Agent`. */
export interface OpenAiAgentsSettings<Tool> {
  /** The tools, as the SDK's `tool` made them. */
  tools: Tool[];
  /** Ends the run when a result says `stopLoop`. */
  toolUseBehavior: (
    runContext: unknown,
    results: readonly { readonly output?: unknown; readonly runItem: { readonly rawItem?: unknown } }[],
  ) =>
    | { isFinalOutput: false; isInterrupted: undefined }
    | { isFinalOutput: true; isInterrupted: undefined; finalOutput: string };
}

/** Options of `run`. */
export interface OpenAiAgentsRunSettings {
  /** A call of an unknown tool is answered, and does not end the run. */
  toolNotFoundBehavior: "return_error_to_model";
  /** The registry's text for unknown tools. `undefined` for the SDK's own texts. */
  toolErrorFormatter: (failed: { kind: string; toolName: string; callId: string }) => Promise<string | undefined>;
  /** Records answers made without the registry. Leaves the request to the model unchanged. */
  callModelInputFilter: <Data extends { input: object[] }>(filtered: { modelData: Data }) => Promise<Data>;
}

/** Dispatch options of every call. Without `context`, it is that of the run. */
export type OpenAiAgentsOptions<Context = unknown> = DispatchOptions &
  StrictOptions &
  LoadOptions & {
    readonly context?: Context;
    /**
     * Handles a failure. A function returns the text for the model; `null` throws the `FailedCallError`, which ends the
     * run. Default: the model reads the failure's text.
     */
    readonly errorFunction?:
      | ((runContext: OpenAiAgentsRunContext | undefined, error: FailedCallError) => string | Promise<string>)
      | null;
  };

/** The SDK itself writes `_` for anything else. */
const OPTIONS = { ...DISPATCH_OPTIONS, strict: true, loaded: true, errorFunction: true };
const NAMES: NameRule = { refused: /[^A-Za-z0-9_]/g, maxLength: 64 };

/** The context that runs have to be given: none when `Options` gave it beforehand. */
export type OpenAiAgentsContext<Registry extends AnyToolRegistry, Options> = Options extends {
  readonly context: object;
}
  ? unknown
  : ContextOfRegistry<Registry>;

/**
 * Everything of a registry for an `Agent`, to be spread into its options: the tools, and the end of the run when a result
 * says `stopLoop`. Each call goes through the registry: the same validation, time limit and transcript as any other. A run
 * is interrupted if the tool's own rule asks for approval, unless `approve` is given: then the registry asks within the
 * call. The SDK itself answers for tools it was not given and for arguments that are not JSON: see
 * `toOpenAiAgentsRunSettings`. Deferred tools are appended to the agent's tools once the registry's search tool has found them: make
 * one for each conversation. With all three functions of the SDK they are found with the tool search of the Responses API
 * instead, which the registry answers: nothing changes before the answer, and the SDK's history restores what was found.
 *
 * @param sdk - The `tool` of `@openai/agents`, or `{ tool, toolNamespace, toolSearchTool }` for models that have the API's
 * own tool search: gpt-5.4 and later.
 * @param registry - Its tools for models are taken.
 * @param options - Dispatch options of every call, and which schemas are enforced. The signal of a run cancels in
 * addition to the one given here.
 *
 * @example
 * ```ts
 * const agent = new Agent({ name: "Coder", ...toOpenAiAgentsSettings(tool, registry, { transcript }) });
 * ```
 */
export function toOpenAiAgentsSettings<
  Registry extends AnyToolRegistry,
  Made,
  const Options extends OpenAiAgentsOptions<ContextOfRegistry<Registry>> = {},
>(
  sdk: (options: OpenAiAgentsToolOptions<OpenAiAgentsContext<Registry, Options>>) => Made,
  registry: Registry,
  options?: Options & NoOthers<Options, OpenAiAgentsOptions>,
): OpenAiAgentsSettings<Made>;
/**
 * The same with the tool search of the Responses API.
 *
 * @example
 * ```ts
 * const sdk = { tool, toolNamespace, toolSearchTool };
 * const agent = new Agent({ name: "Coder", model: "gpt-5.4", ...toOpenAiAgentsSettings(sdk, registry, { transcript }) });
 * ```
 */
export function toOpenAiAgentsSettings<
  Registry extends AnyToolRegistry,
  Made,
  Search,
  const Options extends OpenAiAgentsOptions<ContextOfRegistry<Registry>> = {},
>(
  sdk: OpenAiAgentsSdk<OpenAiAgentsContext<Registry, Options>, Made, Search>,
  registry: Registry,
  options?: Options & NoOthers<Options, OpenAiAgentsOptions>,
): OpenAiAgentsSettings<Made | Search>;
export function toOpenAiAgentsSettings<Made, Search>(
  sdk: ((options: OpenAiAgentsToolOptions) => Made) | OpenAiAgentsSdk<unknown, Made, Search>,
  registry: AnyToolRegistry,
  options: OpenAiAgentsOptions = {},
): OpenAiAgentsSettings<Made | Search> {
  /** The calls whose results say `stopLoop`, until the SDK asks. */
  const stopping = new Set<string>();
  const note = (id: string | undefined, result: ToolResult): void => {
    if (id !== undefined && shouldStop([result])) stopping.add(id);
  };
  const tools =
    typeof sdk === "function"
      ? appendedTools(sdk, registry, options, note)
      : searchedTools(sdk, registry, options, note);
  return {
    tools,
    toolUseBehavior(_runContext, results) {
      const last = results.find(({ runItem }) => {
        const id = fieldOf(runItem.rawItem, "callId");
        return typeof id === "string" && stopping.delete(id);
      });
      return last === undefined
        ? { isFinalOutput: false, isInterrupted: undefined }
        : { isFinalOutput: true, isInterrupted: undefined, finalOutput: textOf(last.output) };
    },
  };
}

type NoteResult = (callId: string | undefined, result: ToolResult) => void;

/** The tools of an agent, to which deferred ones are appended as they are found. */
function appendedTools<Made>(
  tool: (options: OpenAiAgentsToolOptions) => Made,
  registry: AnyToolRegistry,
  options: OpenAiAgentsOptions,
  note: NoteResult,
): Made[] {
  const wire = createAgentsTools(registry, options, "appended", (id, result) => {
    note(id, result);
    for (const found of wire.tools.slice(tools.length)) tools.push(tool(found));
  });
  const tools = wire.tools.map((one) => tool(one));
  return tools;
}

/** Describes the namespace of deferred tools: at rest a model sees this, not the tools in it. */
const OF_DEFERRED = "Tools that tool_search finds by a description of their work";

/** The name of that namespace. No tool has it: the SDK refuses that. */
function namespaceBeside(tools: readonly { readonly name: string }[]): string {
  let name = "deferred";
  while (tools.some((one) => one.name === name)) name += "_";
  return name;
}

/** The tools of an agent, of which deferred ones are found with the API's own tool search. */
function searchedTools<Made, Search>(
  { tool, toolNamespace, toolSearchTool }: OpenAiAgentsSdk<unknown, Made, Search>,
  registry: AnyToolRegistry,
  options: OpenAiAgentsOptions,
  note: NoteResult,
): (Made | Search)[] {
  /** The names that a search has found, by its call. */
  const found = new Map<string, readonly string[]>();
  const wire = createAgentsTools(registry, options, "marked", (id, result) => {
    note(id, result);
    if (id !== undefined && found.has(id)) found.set(id, foundNames(result));
  });
  if (wire.deferred === undefined) return wire.tools.map((one) => tool(one));
  const { searchTool } = wire.deferred;
  const search = wire.tools.find(({ name }) => wire.names.fromWire(name) === searchTool.name);
  const others = wire.tools.filter((one) => one !== search);
  const always = others.filter(({ deferLoading }) => deferLoading === undefined).map((one) => tool(one));
  const deferred = others.filter(({ deferLoading }) => deferLoading === true);
  const grouped = toolNamespace({
    name: namespaceBeside(wire.tools),
    description: OF_DEFERRED,
    tools: deferred.map((one) => tool(one)),
  });
  const byName = new Map(deferred.map(({ name }, at) => [wire.names.fromWire(name), grouped[at] as Made]));
  const native = toolSearchTool({
    execution: "client",
    description: searchTool.description,
    parameters: searchTool.parameters,
    async execute({ toolCall, runContext }) {
      const given = fieldOf(toolCall.providerData, "call_id");
      const id = typeof given === "string" ? given : (toolCall.id ?? "");
      found.set(id, []);
      await search?.execute(toolCall.arguments, runContext, { toolCall: { callId: id } });
      const names = found.get(id) ?? [];
      found.delete(id);
      return names.flatMap((name) => byName.get(name) ?? []);
    },
  });
  return [native, ...always, ...grouped];
}

/** The tools of an agent, with their names for the model. */
function createAgentsTools(
  registry: AnyToolRegistry,
  options: OpenAiAgentsOptions,
  deferral: "appended" | "marked" | "at_once",
  onResult: (callId: string | undefined, result: ToolResult) => void,
): WireTools<OpenAiAgentsToolOptions> {
  checkOptions("make tools for the Agents SDK", options, OPTIONS);
  const { strict: asked = false, errorFunction, loaded, ...given } = options;
  const wire: WireTools<OpenAiAgentsToolOptions> = createWireTools(
    registry,
    NAMES,
    (tool) => prepareForOpenAi(tool, { strict: asked }),
    ({ tool: { name, description }, wireName, schema, strict, isDeferred }) => ({
      name: wireName,
      description,
      parameters: toParameters(schema),
      strict,
      ...(isDeferred && deferral === "marked" && { deferLoading: true as const }),
      needsApproval: given.approve === undefined && approvalRule(registry.get(name), wireName),
      async execute(input, runContext, details) {
        // The name by which the SDK keeps decisions about a tool of a namespace. It denies the call if it had another.
        const decidedName =
          isDeferred && deferral === "marked"
            ? JSON.stringify(["namespaced", namespaceBeside(wire.tools), wireName])
            : wireName;
        const id = details?.toolCall?.callId;
        const turn = turnOf(details?.toolCall, wireName);
        const call = readWireCall({ id, turn, name: wireName, params: input }, wire);
        const approve: Approver = given.approve ?? (({ callId }) => isApproved(runContext, decidedName, callId));
        const own = { ...given, approve, context: given.context ?? runContext?.context };
        const result = await dispatchForAgent(registry, call, own, details?.signal);
        loadFound({ call, result }, wire);
        onResult(id, result);
        if (result.success || errorFunction === undefined)
          return writeContent<OpenAiAgentsOutputPart>(result, (text) => ({ type: "text", text }), toOutputPart);
        const error = new FailedCallError(result);
        if (errorFunction === null) throw error;
        return errorFunction(runContext, error);
      },
      // Only a failure that the host wants thrown leaves `execute` as an error.
      ...(errorFunction === null && { errorFunction }),
    }),
    { loaded, deferral, named: { strict: asked } },
  );
  return wire;

  /** A rule is a function only where it decides call by call: with one, the SDK asks a person about broken JSON too. */
  function approvalRule(tool: AnyTool, wireName: string): OpenAiAgentsToolOptions["needsApproval"] {
    if (tool.approval !== "sometimes") return tool.approval === "always";
    return async (runContext, input, callId) => {
      const own = { context: given.context ?? runContext.context, ...(callId !== undefined && { callId }) };
      return (await tool.approvalRequest(wire.decode(wireName, input), own)) !== undefined;
    };
  }
}

/** The answer that makes a call, for an id that comes with every answer: an item's own id is that of the response, or unique. */
function turnOf(item: unknown, wireName: unknown): unknown {
  const id = fieldOf(item, "callId");
  return typeof id === "string" && isNumberedId(id, String(wireName)) ? fieldOf(item, "id") : undefined;
}

/** Whether a person has agreed, by `state.approve`. */
function isApproved(runContext: OpenAiAgentsRunContext | undefined, toolName: string, callId: string): boolean {
  return runContext?.isToolApproved({ toolName, callId }) === true;
}

function toParameters(schema: JsonSchema): OpenAiAgentsToolOptions["parameters"] {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const parameters = { ...schema, type: "object", properties, required, additionalProperties } as const;
  return parameters as OpenAiAgentsToolOptions["parameters"];
}

function toOutputPart(part: MediaPart): OpenAiAgentsOutputPart | undefined {
  if (part.type === "image" && SUPPORTED_IMAGES.has(part.mimeType)) {
    return { type: "image", image: dataUrl(part), detail: "auto" };
  }
  if (part.type !== "file" || part.mimeType !== PDF) return undefined;
  return { type: "file", file: { data: part.data, mediaType: PDF, filename: fileName(part) } };
}

/** The text of an output, as `tool()` or the model's input holds it. */
function textOf(output: unknown): string {
  if (!Array.isArray(output)) return String(output);
  return objectsIn(output)
    .flatMap(({ text }) => (typeof text === "string" ? [text] : []))
    .join("\n");
}

type Item = { readonly [key: string]: unknown };

/**
 * Options for `run`, to be spread into its own. The registry answers calls of unknown tools. They, and the SDK's own
 * answers (denials, arguments that are not JSON, guardrails), are recorded in the transcript, which must have `find`,
 * as soon as the model receives them.
 *
 * @param registry - The registry of the agent's tools.
 * @param options - Those of `toOpenAiAgentsSettings`.
 *
 * @example
 * ```ts
 * await run(agent, prompt, { context: { worktreePath }, ...toOpenAiAgentsRunSettings(registry, { transcript }) });
 * ```
 */
export function toOpenAiAgentsRunSettings(
  registry: AnyToolRegistry,
  options: OpenAiAgentsOptions = {},
): OpenAiAgentsRunSettings {
  const wire = createAgentsTools(registry, options, "at_once", () => {});
  /** The answers to calls of unknown tools, by call, until the model receives them. */
  const unknown = new Map<string, ToolResult>();
  return {
    toolNotFoundBehavior: "return_error_to_model",
    async toolErrorFormatter({ kind, toolName: calledName, callId }) {
      // A tool of a namespace is named behind it.
      const toolName = calledName.slice(calledName.lastIndexOf(".") + 1);
      const name = wire.names.fromWire(toolName);
      // The SDK does not run tools that were not advertised to the model.
      if (kind !== "tool_not_found") return undefined;
      if (registry.has(name)) return notFoundYet(registry, name, toolName);
      const search = registry.searchTool === undefined ? [] : [registry.searchTool.name];
      const result = unknownTool(toolName, [...search, ...wire.tools.map((tool) => tool.name)]);
      unknown.set(callId, result);
      return String(result);
    },
    async callModelInputFilter({ modelData }) {
      if (typeof options.transcript?.find !== "function") return modelData;
      for (const { item, text } of lastAnswers(objectsIn(modelData.input))) {
        const { callId, name, arguments: params } = item;
        const call = readWireCall({ id: callId, turn: turnOf(item, name), name, params }, wire);
        const { id = "" } = call;
        const result = unknown.get(id) ?? (registry.has(call.name) ? failure(text, { code: codeOf(item) }) : undefined);
        unknown.delete(id);
        if (id !== "" && result !== undefined) await recordAnswered({ ...call, id }, result, options);
      }
      return modelData;
    },
  };
}

/** The text for a model that called a deferred tool before it found it. */
function notFoundYet(registry: AnyToolRegistry, name: string, toolName: string): string | undefined {
  const isDeferred = registry.offers.some((offer) => offer.isDeferred && offer.tool.name === name);
  if (!isDeferred || registry.searchTool === undefined) return undefined;
  return `Cannot call ${toolName}: it was not loaded yet. Search for it, then call it again`;
}

/** The calls that are answered at the end of a conversation, with the text for the model. */
function lastAnswers(items: readonly Item[]): { readonly item: Item; readonly text: string }[] {
  const start = items.findLastIndex(({ type }) => type !== "function_call_result") + 1;
  return items.slice(start).flatMap(({ callId, output }) => {
    const item = items.findLast((one) => one["type"] === "function_call" && one["callId"] === callId);
    return item === undefined ? [] : [{ item, text: isJsonObject(output) ? String(output["text"]) : textOf(output) }];
  });
}

/** Why the SDK did not pass on a call of a tool that there is. */
function codeOf({ arguments: sent }: Item): string {
  try {
    JSON.parse(String(sent));
    return "denied";
  } catch {
    return "invalid_call";
  }
}

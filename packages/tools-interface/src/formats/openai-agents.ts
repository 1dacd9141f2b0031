import { DISPATCH_OPTIONS } from "../call/host-options.ts";
import type { AnyTool, Approver } from "../call/tool.ts";
import type { NameRule } from "../call/wire-names.ts";
import { checkOptions } from "../error/check-options.ts";
import type { JsonSchema } from "../json/json.ts";
import type { DispatchOptions } from "../registry/dispatch-options.ts";
import { foundNames } from "../registry/loaded-tools.ts";
import type { AnyToolRegistry } from "../registry/tool-registry.ts";
import type { MediaPart } from "../result/content-part.ts";
import { shouldStop } from "../result/should-stop.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { isNumberedId } from "../transcript/id-scope.ts";
import { dispatchForAgent, type ContextOfRegistry } from "./dispatch-for-agent.ts";
import { FailedCallError } from "./failed-call-error.ts";
import { loadFound } from "./found-tools.ts";
import type {
  OpenAiAgentsOutputPart,
  OpenAiAgentsRunContext,
  OpenAiAgentsSdk,
  OpenAiAgentsSettings,
  OpenAiAgentsToolOptions,
} from "./openai-agents-types.ts";
import { prepareForOpenAi } from "./openai-schema.ts";
import { fieldOf, objectsIn, readWireCall } from "./read-calls.ts";
import { dataUrl, fileName, PDF, SUPPORTED_IMAGES, writeParts } from "./result-parts.ts";
import { createWireTools, type LoadOptions, type StrictOptions, type WireTools } from "./wire/wire-tools.ts";

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

/**
 * Tools for an `Agent` of `@openai/agents`, each to be passed to its `tool()`. Each call goes through the registry: the
 * same validation, time limit and transcript as any other. A run is interrupted if the tool's own rule asks for
 * approval, unless `approve` is given: then the registry asks within the call. The SDK itself answers for tools it was
 * not given and for arguments that are not JSON: see `toOpenAiAgentsRunSettings`. Deferred tools are included as
 * ordinary ones: `toOpenAiAgentsSettings` defers them.
 *
 * @param registry - Its tools for models are taken.
 * @param options - Dispatch options of every call, and which schemas are enforced. The signal of a run cancels in
 * addition to the one given here.
 *
 * @example
 * ```ts
 * const options = toOpenAiAgentsTools(registry, { strict: true, transcript });
 * const agent = new Agent({ name: "Coder", tools: options.map((one) => tool(one)) });
 * const { finalOutput } = await run(agent, prompt, { context: { worktreePath } });
 * ```
 */
export function toOpenAiAgentsTools<
  Registry extends AnyToolRegistry,
  const Options extends OpenAiAgentsOptions<ContextOfRegistry<Registry>> = {},
>(
  registry: Registry,
  options?: Options & OpenAiAgentsOptions,
): OpenAiAgentsToolOptions<OpenAiAgentsContext<Registry, Options>>[] {
  return createAgentsTools(registry, options ?? {}, "at_once", () => {}).tools;
}

/** The context that runs have to be given: none when `Options` gave it beforehand. */
export type OpenAiAgentsContext<Registry extends AnyToolRegistry, Options> = Options extends {
  readonly context: object;
}
  ? unknown
  : ContextOfRegistry<Registry>;

/**
 * Everything of a registry for an `Agent`, to be spread into its options: the tools, and the end of the run when a result
 * says `stopLoop`. Deferred tools are appended to the agent's tools once the registry's search tool has found them: make
 * one for each conversation. With all three functions of the SDK they are found with the tool search of the Responses API
 * instead, which the registry answers: nothing changes before the answer, and the SDK's history restores what was found.
 *
 * @param sdk - The `tool` of `@openai/agents`, or `{ tool, toolNamespace, toolSearchTool }` for models that have the API's
 * own tool search: gpt-5.4 and later.
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
  options?: Options & OpenAiAgentsOptions,
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
  options?: Options & OpenAiAgentsOptions,
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
export function createAgentsTools(
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
        // An item's own id is that of the response, or unique.
        const turn = id !== undefined && isNumberedId(id, wireName) ? details?.toolCall?.id : undefined;
        const call = readWireCall({ id, turn, name: wireName, params: input }, wire);
        const approve: Approver = given.approve ?? (({ callId }) => isApproved(runContext, decidedName, callId));
        const own = { ...given, approve, context: given.context ?? runContext?.context };
        const result = await dispatchForAgent(registry, call, own, details?.signal);
        loadFound({ call, result }, wire);
        onResult(id, result);
        if (result.success || errorFunction === undefined) return toOutput(result);
        const error = new FailedCallError(result);
        if (errorFunction === null) throw error;
        return errorFunction(runContext, error);
      },
      // Only a failure that the host wants thrown leaves `execute` as an error.
      ...(errorFunction === null && { errorFunction }),
    }),
    { loaded, deferral },
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

/** Whether a person has agreed, by `state.approve`. */
function isApproved(runContext: OpenAiAgentsRunContext | undefined, toolName: string, callId: string): boolean {
  return runContext?.isToolApproved({ toolName, callId }) === true;
}

function toParameters(schema: JsonSchema): OpenAiAgentsToolOptions["parameters"] {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const parameters = { ...schema, type: "object", properties, required, additionalProperties } as const;
  return parameters as OpenAiAgentsToolOptions["parameters"];
}

function toOutput(result: ToolResult): string | OpenAiAgentsOutputPart[] {
  const parts = writeParts<OpenAiAgentsOutputPart>(result, (text) => ({ type: "text", text }), toOutputPart);
  const [first] = parts;
  return parts.length === 1 && first?.type === "text" ? first.text : parts;
}

function toOutputPart(part: MediaPart): OpenAiAgentsOutputPart | undefined {
  if (part.type === "image" && SUPPORTED_IMAGES.has(part.mimeType)) {
    return { type: "image", image: dataUrl(part), detail: "auto" };
  }
  if (part.type !== "file" || part.mimeType !== PDF) return undefined;
  return { type: "file", file: { data: part.data, mediaType: PDF, filename: fileName(part) } };
}

/** The text of an output, as `tool()` or the model's input holds it. */
export function textOf(output: unknown): string {
  if (!Array.isArray(output)) return String(output);
  return objectsIn(output)
    .flatMap(({ text }) => (typeof text === "string" ? [text] : []))
    .join("\n");
}

import type { NameRule } from "../call/wire-names.ts";
import type { JsonSchema } from "../json/json.ts";
import type { DispatchArguments } from "../registry/dispatch-arguments.ts";
import type { AnyToolRegistry } from "../registry/tool-registry.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { dispatchForAgent, type AgentDispatchOptions } from "./dispatch-for-agent.ts";
import { prepareForOpenAi } from "./openai-schema.ts";
import { dataUrl, imagePlaceholder, SUPPORTED_IMAGES, shownParts } from "./result-parts.ts";
import { createWireTools, type StrictOptions, type WireTools } from "./wire/wire-tools.ts";

/** What a tool answers with when it is not plain text, in the words of the Agents SDK. */
export type OpenAiAgentsOutputPart = { type: "text"; text: string } | { type: "image"; image: string; detail: "auto" };

/** What `tool()` of `@openai/agents` takes. */
export interface OpenAiAgentsToolOptions {
  /** Letters, digits and `_`, up to 64. */
  name: string;
  /** What the tool does. */
  description: string;
  /** JSON Schema of the arguments, with what the SDK asks for and JSON Schema lets a schema leave out. */
  parameters: {
    /** Always `object`. */
    type: "object";
    /** The fields. */
    properties: Record<string, Record<string, unknown>>;
    /** The names of the fields that must be there. */
    required: string[];
    /** Whether there may be other fields, or of what kind. */
    // oxlint-disable-next-line typescript/no-explicit-any -- the SDK's types want `false` beside `strict`, and else `true`
    additionalProperties: any;
  };
  /** Whether the API enforces the schema. */
  strict: boolean;
  /** Whether a run stops for a person's approval before the call reaches the registry. Set it to be asked by the SDK. */
  needsApproval: boolean;
  /** Runs the call through the registry. Never rejects. */
  execute(
    input: unknown,
    runContext?: unknown,
    details?: { toolCall?: { callId: string }; signal?: AbortSignal },
  ): Promise<string | OpenAiAgentsOutputPart[]>;
}

/** The dispatch options of a registry, with {@link StrictOptions}. Required when one of its tools needs context. */
export type OpenAiAgentsArguments<Registry extends AnyToolRegistry> = {
  [Index in keyof DispatchArguments<Registry>]: DispatchArguments<Registry>[Index] & StrictOptions;
};

/** The SDK itself writes `_` for anything else. */
const NAMES: NameRule = { refused: /[^A-Za-z0-9_]/g, maxLength: 64 };

/**
 * Tools for an `Agent` of `@openai/agents`, each to be passed to its `tool()`. Every call goes through the registry: the
 * same validation, approval, time limit and transcript as any other. The SDK itself answers for tools it was not given
 * and for arguments that are not JSON.
 *
 * @param registry - Its advertised tools are taken.
 * @param options - What every call is dispatched with, and which schemas are enforced. The signal of a run cancels
 *   besides the one given here.
 *
 * @example
 * ```ts
 * const options = toOpenAiAgentsTools(registry, { strict: true, context: { worktreePath }, transcript });
 * const agent = new Agent({ name: "Coder", tools: options.map((one) => tool(one)) });
 * ```
 */
export function toOpenAiAgentsTools<Registry extends AnyToolRegistry>(
  registry: Registry,
  ...options: OpenAiAgentsArguments<Registry>
): OpenAiAgentsToolOptions[] {
  const [{ strict: asked = false, ...given } = {}] = options as unknown as readonly [
    (AgentDispatchOptions & StrictOptions)?,
  ];
  const wire: WireTools<OpenAiAgentsToolOptions> = createWireTools(
    registry,
    NAMES,
    (tool) => prepareForOpenAi(tool, { strict: asked }),
    ({ tool: { name, description }, wireName, schema, strict }) => ({
      name: wireName,
      description,
      parameters: toParameters(schema),
      strict,
      needsApproval: false,
      async execute(input, _runContext, details) {
        const call = { id: details?.toolCall?.callId, name, arguments: wire.decode(wireName, input) };
        return toOutput(await dispatchForAgent(registry, call, given, details?.signal));
      },
    }),
  );
  return wire.tools;
}

function toParameters(schema: JsonSchema): OpenAiAgentsToolOptions["parameters"] {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const parameters = { ...schema, type: "object", properties, required, additionalProperties } as const;
  return parameters as OpenAiAgentsToolOptions["parameters"];
}

function toOutput(result: ToolResult): string | OpenAiAgentsOutputPart[] {
  const parts = shownParts(result).map((part): OpenAiAgentsOutputPart => {
    if (part.type === "text") return { type: "text", text: part.text };
    if (SUPPORTED_IMAGES.has(part.mimeType)) return { type: "image", image: dataUrl(part), detail: "auto" };
    return { type: "text", text: imagePlaceholder(part, "cannot be shown here") };
  });
  const [first] = parts;
  return parts.length === 1 && first?.type === "text" ? first.text : parts;
}

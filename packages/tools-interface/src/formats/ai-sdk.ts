import { createWireNames, MODEL_NAMES } from "../call/wire-names.ts";
import { isJsonObject, toJsonText, type JsonSchema } from "../json/json.ts";
import type { DispatchArguments } from "../registry/dispatch-arguments.ts";
import type { AnyToolRegistry } from "../registry/tool-registry.ts";
import type { ContentPart } from "../result/content-part.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { dispatchForAgent, type AgentDispatchOptions } from "./dispatch-for-agent.ts";
import { shownParts } from "./result-parts.ts";
import { toRootObject } from "./wire/root-object.ts";
import { toolsOf } from "./wire/tool-source.ts";

/** How the AI SDK tells its own schemas, also across copies of it. */
const schemaMark = Symbol.for("vercel.ai.schema");

/**
 * A schema as the AI SDK's `jsonSchema()` makes it, and a Standard Schema too: the AI SDK's own mark is a symbol that no
 * type but its own can name. It takes every value: the registry validates, and answers the model.
 */
export interface AiSdkSchema {
  /** JSON Schema of the input. */
  readonly jsonSchema: { readonly [keyword: string]: unknown };
  /** Must be there for the AI SDK, and is not needed. */
  readonly validate: undefined;
  /** The same as a Standard Schema with JSON Schema. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    /** Accepts everything: `dispatch` validates and repairs. */
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: {
      /** A copy of the schema. */
      readonly input: () => Record<string, unknown>;
      /** A copy of the schema. */
      readonly output: () => Record<string, unknown>;
    };
  };
}

/** What `execute` answers: the result as plain data, which survives being stored and streamed. Holds no metadata. */
export interface AiSdkOutput {
  /** Whether the call did what was asked. */
  readonly success: boolean;
  /** What a model is shown: text and images. */
  readonly content: ContentPart[];
  /** The code of a failure. */
  readonly code?: string;
  /** The data of a success, when there is any that JSON can hold. */
  readonly data?: unknown;
}

/** What a model is told of an output, in the AI SDK's words. */
export type AiSdkModelOutput =
  | { type: "text"; value: string }
  | { type: "error-text"; value: string }
  | {
      type: "content";
      value: ({ type: "text"; text: string } | { type: "image-data"; data: string; mediaType: string })[];
    };

/** A tool as the AI SDK takes it, versions 6 and 7. */
export interface AiSdkTool {
  /** What the tool does. */
  description: string;
  /** The input. */
  inputSchema: AiSdkSchema;
  /** Runs the call through the registry. Never rejects. */
  execute(input: unknown, options: { toolCallId: string; abortSignal?: AbortSignal }): Promise<AiSdkOutput>;
  /** What the model is told of the output. */
  toModelOutput(options: { output: unknown }): AiSdkModelOutput;
}

/**
 * Tools for `generateText`, `streamText` and the agents of the AI SDK, by name. Each call goes through the registry:
 * the same validation, approval, time limit and transcript as any other.
 *
 * @param registry - Its advertised tools are taken.
 * @param options - What every call is dispatched with. The AI SDK's signal cancels besides the one given here.
 *
 * @example
 * ```ts
 * const tools = toAiSdkTools(registry, { context: { worktreePath }, transcript });
 * const { text } = await generateText({ model, prompt, tools, stopWhen: stepCountIs(20) });
 * ```
 */
export function toAiSdkTools<Registry extends AnyToolRegistry>(
  registry: Registry,
  ...options: DispatchArguments<Registry>
): Record<string, AiSdkTool> {
  const [given = {}] = options as unknown as readonly [AgentDispatchOptions?];
  const tools = toolsOf(registry);
  const names = createWireNames(
    tools.map(({ name }) => name),
    MODEL_NAMES,
  );
  const entries = tools.map(({ name, description, parameters }): [string, AiSdkTool] => [
    names.toWire(name),
    {
      description,
      inputSchema: toAiSdkSchema(toRootObject(parameters, () => undefined)),
      async execute(input, { toolCallId, abortSignal }) {
        const call = { id: toolCallId, name, arguments: input };
        return toOutput(await dispatchForAgent(registry, call, given, abortSignal));
      },
      toModelOutput: ({ output }) => toModelOutput(output),
    },
  ]);
  return Object.fromEntries(entries);
}

function toAiSdkSchema(jsonSchema: JsonSchema): AiSdkSchema {
  const copy = (): Record<string, unknown> => ({ ...jsonSchema });
  const schema = {
    [schemaMark]: true,
    _type: undefined,
    jsonSchema,
    validate: undefined,
    "~standard": {
      version: 1,
      vendor: "dispatch",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: copy, output: copy },
    },
  } as const;
  return schema;
}

function toOutput(result: ToolResult): AiSdkOutput {
  const content = [...shownParts(result)];
  if (!result.success) return { success: false, content, code: result.code };
  try {
    const data = result.data === undefined ? undefined : (JSON.parse(toJsonText(result.data)) as unknown);
    return { success: true, content, ...(data !== undefined && { data }) };
  } catch {
    return { success: true, content };
  }
}

/** Reads plain data: the AI SDK also passes what was stored and loaded again. */
function toModelOutput(output: unknown): AiSdkModelOutput {
  const parts = isJsonObject(output) && Array.isArray(output["content"]) ? (output["content"] as ContentPart[]) : [];
  const isFailure = !isJsonObject(output) || output["success"] !== true;
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  if (isFailure) return { type: "error-text", value: text };
  if (parts.every(({ type }) => type === "text")) return { type: "text", value: text };
  return {
    type: "content",
    value: parts.map((part) =>
      part.type === "text" ? part : { type: "image-data", data: part.data, mediaType: part.mimeType },
    ),
  };
}

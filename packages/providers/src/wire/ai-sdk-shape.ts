import {
  type AnyToolRegistry,
  type ContentPart,
  type JsonSchema,
  type MediaPart,
  type ResourceLinkPart,
  type ToolProgress,
  type ToolRegistry,
  type ToolResult,
  shouldStop,
} from "@dispatch/tools-interface";
import {
  MODEL_NAMES,
  type WireNames,
  createWireNames,
  isJsonObject,
  offeredTools,
  plainJson,
  shownParts,
} from "@dispatch/tools-interface/internal";
import { FailedCallError } from "./agent-calls.ts";
import { objectsIn } from "./read-calls.ts";
import { linkText } from "./result-parts.ts";

/**
 * A schema as the AI SDK's `jsonSchema()` makes it, and a Standard Schema too: the AI SDK's own mark is a symbol that no
 * type but its own can name. It takes every value: the registry validates, and answers the model.
 */
export interface AiSdkSchema<Value = unknown> {
  /** JSON Schema of the input. */
  readonly jsonSchema: { readonly [keyword: string]: unknown };
  /** Must be there for the AI SDK, and is not needed. */
  readonly validate: undefined;
  /** The same as a Standard Schema with JSON Schema. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    /** Accepts everything: `dispatch` validates and repairs. */
    readonly validate: (value: unknown) => { readonly value: Value };
    /** Never there at run time. */
    readonly types?: { readonly input: Value; readonly output: Value };
    readonly jsonSchema: {
      /** A copy of the schema. */
      readonly input: () => Record<string, unknown>;
      /** A copy of the schema. */
      readonly output: () => Record<string, unknown>;
    };
  };
}

/** The result of `execute`: a success as plain data, which survives being stored and streamed. Holds no metadata. */
export interface AiSdkOutput<Data = unknown> {
  /** Content for the model. Empty in a preliminary result. */
  readonly content: readonly ContentPart[];
  /** The data of the success, when there is any that JSON can hold. */
  readonly data?: Data;
  /** How far the tool has come: in preliminary results only. */
  readonly progress?: ToolProgress;
  /** The tool asks the loop to end: see `stopLoop`. */
  readonly stopLoop?: true;
}

/** A model's view of an output, in the AI SDK's format. */
export type AiSdkModelOutput<File = AiSdkFile> =
  | { type: "text"; value: string }
  | { type: "content"; value: ({ type: "text"; text: string } | File)[] };

/** An image or a file as AI SDK 6 takes it. */
export type AiSdk6File =
  | { type: "image-data"; data: string; mediaType: string }
  | { type: "file-data"; data: string; mediaType: string; filename?: string };

/** A file as AI SDK 7 takes it. */
export type AiSdkFile = { type: "file"; data: { type: "data"; data: string }; mediaType: string; filename?: string };

/** The AI SDK's options of a call. */
export type AiSdkCallOptions<Context = unknown> = {
  readonly toolCallId: string;
  /** The conversation before the call. A person's approval is read from it. */
  readonly messages: readonly object[];
  readonly abortSignal?: AbortSignal | undefined;
} & (unknown extends Context
  ? { readonly context?: unknown }
  : {
      /** The context of the tool in AI SDK 7, from `toolsContext`. */
      readonly context: Context;
    });

/** A tool as the AI SDK takes it, versions 6 and 7. */
export type AiSdkTool<Input = unknown, Data = unknown, Context = unknown, File = AiSdkFile> = {
  readonly description: string;
  readonly inputSchema: AiSdkSchema<Input>;
  /** Whether a person has to agree: the tool's own rule. Not there when `approve` is given. */
  readonly needsApproval?: (input: Input, options: Omit<AiSdkCallOptions<Context>, "abortSignal">) => Promise<boolean>;
  /** Runs the call through the registry. Yields progress, then the output. Throws a failure, with its text for the model. */
  readonly execute: (input: Input, options: AiSdkCallOptions<Context>) => AsyncGenerator<AiSdkOutput<Data>>;
  /** The model's view of the output. */
  readonly toModelOutput: (options: { readonly output: AiSdkOutput<Data> }) => AiSdkModelOutput<File>;
} & (unknown extends Context
  ? {}
  : {
      /** The context, for the types alone: the registry checks it. */
      readonly contextSchema: AiSdkSchema<Context>;
    });

/**
 * The tools of a registry by the names that providers know. AI SDK 7 asks for the context with each request, unless
 * `Options` gave it beforehand.
 */
export type AiSdkTools<Registry extends AnyToolRegistry, Options = {}> =
  // oxlint-disable-next-line typescript/no-explicit-any -- any context
  Registry extends ToolRegistry<infer Tools, any>
    ? { [Name in keyof Tools & string as WireName<Name>]: AiSdkToolOf<Tools[Name], Options> }
    : never;

type WireName<Name extends string> = Name extends `${infer Head}${"." | "/"}${infer Rest}`
  ? `${Head}_${WireName<Rest>}`
  : Name;

type AiSdkToolOf<Tool, Options> = Tool extends { readonly "~types"?: infer Types }
  ? NonNullable<Types> extends {
      readonly input: infer Input;
      readonly data: infer Data;
      readonly context: infer Context;
    }
    ? Options extends { readonly version: 6 }
      ? AiSdkTool<Input, Data, unknown, AiSdk6File>
      : AiSdkTool<Input, Data, Options extends { readonly context: object } ? unknown : Context>
    : never
  : never;

/** The output of a success. A failure is thrown: it is a tool error there. */
export function toAiSdkOutput(result: ToolResult): AiSdkOutput {
  if (!result.success) throw new FailedCallError(result);
  const data = plainJson(result.data);
  return {
    content: shownParts(result),
    ...(data !== undefined && { data }),
    ...(shouldStop([result]) && { stopLoop: true }),
  };
}

/** Whose words a model's view is in. */
type Dialect = 6 | 7 | "mastra";

/** Reads plain data: the AI SDK also passes data that was stored and loaded again, and clients may have changed it. */
export function toAiSdkModelOutput<File = AiSdkFile>(output: unknown, version: Dialect): AiSdkModelOutput<File> {
  const parts = objectsIn(isJsonObject(output) ? output["content"] : undefined);
  const shown = parts.flatMap((part) => toModelPart(part as Partial<ContentPart>, version));
  const text = shown.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n");
  if (shown.every((part) => "text" in part)) return { type: "text", value: text };
  return { type: "content", value: shown } as AiSdkModelOutput<File>;
}

function toModelPart(
  part: Partial<ContentPart>,
  version: Dialect,
): ({ type: "text"; text: string } | { type: string })[] {
  if (part.type === "text") return typeof part.text === "string" ? [{ type: "text", text: part.text }] : [];
  if (part.type === "resource_link") return [{ type: "text", text: linkText(part as ResourceLinkPart) }];
  const { data, mimeType: mediaType } = part as Partial<MediaPart>;
  if (typeof data !== "string" || typeof mediaType !== "string") return [];
  const named = part.type === "file" && part.name !== undefined ? { filename: part.name } : {};
  const seven = { type: "file", data: { type: "data", data }, mediaType, ...named };
  const six = { type: part.type === "image" ? "image-data" : "file-data", data, mediaType, ...named };
  return [version === 7 ? seven : version === 6 ? six : { ...six, type: "media" }];
}

/** The mark by which the AI SDK recognises its own schemas, also across copies of it. */
const schemaMark = Symbol.for("vercel.ai.schema");

/** A schema that lets every value through to the registry. */
export function toAiSdkSchema(jsonSchema: JsonSchema): AiSdkSchema {
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

/** The names of a registry's advertised tools, as the AI SDK receives them. */
export function wireNamesOf(registry: AnyToolRegistry): WireNames {
  return createWireNames(
    offeredTools(registry).map(({ tool }) => tool.name),
    MODEL_NAMES,
  );
}

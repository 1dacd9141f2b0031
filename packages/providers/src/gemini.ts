import type { JsonSchema, MediaPart, ModelTurns, ToolCall, ToolResult } from "@dispatch/tools-interface";
import {
  MODEL_NAMES,
  type NameRule,
  type SourceTool,
  type ToolSource,
  type WireNames,
  checkOptions,
  isJsonObject,
} from "@dispatch/tools-interface/internal";
import { type AnswerEnds, endOfAnswer, markCutOff } from "./answer-end.ts";
import { loadFound } from "./found-tools.ts";
import { fieldOf, objectsIn, readWireCall, sumOf } from "./read-calls.ts";
import { PDF, answeredCalls, textWithFollowers } from "./result-parts.ts";
import { type FormatChange, type FormatChangeKind, type ToolReport, at, collectChanges } from "./wire/format-report.ts";
import { toRootObject } from "./wire/root-object.ts";
import {
  type DeferredTools,
  type LoadOptions,
  type PreparedSchema,
  type WireTools,
  createWireTools,
} from "./wire/wire-tools.ts";

export { geminiDeltas } from "./call-deltas.ts";
export type { CallDelta, CallDeltaReader } from "./call-deltas.ts";
export { collectGeminiStream } from "./gemini-stream.ts";
export type { GeminiAnswer } from "./gemini-stream.ts";
export type {
  DeferredTools,
  FormatChange,
  FormatChangeKind,
  LoadOptions,
  SourceTool,
  ToolReport,
  ToolSource,
  WireNames,
  WireTools,
};

/** One tool. */
export interface GeminiFunctionDeclaration {
  /** Up to 64 letters, digits, `_` and `-`, beginning with a letter or `_`. */
  name: string;
  /** Describes the tool to a model. */
  description: string;
  /** JSON Schema of the arguments. Absent for a tool without parameters. */
  parametersJsonSchema?: { [keyword: string]: unknown };
}

/** Tools as the API takes them. */
export interface GeminiTool {
  /** All tools of the registry. */
  functionDeclarations: GeminiFunctionDeclaration[];
}

/** One piece of an answer. */
export type GeminiResultPart =
  | {
      functionResponse: { id?: string; name: string; response: { output: string } | { error: string } };
    }
  | { text: string }
  | { inlineData: { mimeType: string; data: string } };

/** The content with all results of a turn. */
export interface GeminiResultContent {
  /** Results come from the user's side. */
  role: "user";
  /** One function response a call, in the order of the calls, and after them images, files and recordings, each after its label. */
  parts: GeminiResultPart[];
}

const NAMES: NameRule = { ...MODEL_NAMES, start: /[A-Za-z_]/ };
const SUPPORTED_IMAGES = new Set(["image/jpeg", "image/png", "image/webp", "image/heic", "image/heif"]);
const SUPPORTED_AUDIO = new Set(["wav", "mp3", "mpeg", "aiff", "aac", "ogg", "flac"].map((kind) => `audio/${kind}`));

/**
 * Tools for the Gemini API. `tools` is empty when there are none: the API refuses an empty list of declarations.
 *
 * @throws {ToolError} Code `duplicate_tool` when two of a list have one name.
 *
 * @example
 * ```ts
 * const wire = toGeminiTools(registry);
 * const response = await client.models.generateContent({ model, contents, config: { tools: wire.tools } });
 * const calls = fromGeminiResponse(response, wire);
 * const results = await registry.dispatchAll(calls, { context });
 * contents.push(response.candidates[0].content, toGeminiResults(calls, results, wire));
 * ```
 */
export function toGeminiTools(source: ToolSource, options: LoadOptions = {}): WireTools<GeminiTool> {
  checkOptions("make tools for Gemini", options, { loaded: true });
  const {
    tools: functionDeclarations,
    deferred,
    ...wire
  } = createWireTools(
    source,
    NAMES,
    prepare,
    ({ tool: { description }, wireName, schema }): GeminiFunctionDeclaration => {
      return { name: wireName, description, ...(takesFields(schema) && { parametersJsonSchema: { ...schema } }) };
    },
    options,
  );
  return {
    ...wire,
    tools: functionDeclarations.length === 0 ? [] : [{ functionDeclarations }],
    ...(deferred && {
      deferred: {
        searchTool: deferred.searchTool,
        load: (names) => [{ functionDeclarations: [...deferred.load(names)] }],
        get found() {
          return deferred.found;
        },
      },
    }),
  };
}

function prepare({ parameters }: SourceTool): PreparedSchema {
  const { changes, note } = collectChanges();
  const schema = toRootObject(parameters, note);
  if (!takesFields(schema)) {
    for (const keyword of Object.keys(schema).filter((one) => !SAID_BY_NOTHING.has(one)))
      note(at("#", keyword), keyword, "dropped", "a tool without parameters goes out without a schema");
  }
  return { schema, plans: [], strict: false, changes };
}

/** Keywords that a declaration without a schema implies anyway. */
const SAID_BY_NOTHING = new Set(["type", "properties", "required", "additionalProperties"]);

/** Whether there is anything that a model could send, whose fields have names or at least a schema. */
function takesFields({ properties, additionalProperties }: JsonSchema): boolean {
  const isNonEmpty = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length > 0;
  return isNonEmpty(properties) || isNonEmpty(additionalProperties);
}

const COMPLETE: ReadonlySet<string> = new Set(["stop", "finish_reason_unspecified"]);

/**
 * The calls in a response of the Gemini API, in order; none for anything that is no such response. Of several
 * candidates the first is read. A last call in which the answer was cut off (`MAX_TOKENS`, `SAFETY` and the like) is
 * marked `cutOff` and will not be executed; so is that of a chunk of a stream, which does not say how the answer ends.
 * Most models give their calls no ids: results then belong to them by their order.
 *
 * @param response - A response, the result of `collectGeminiStream`, or the content of a candidate.
 * @param wire - The result of `toGeminiTools`: gives the tools their own names back, and the arguments their own shape.
 *
 * @example
 * ```ts
 * const response = await client.models.generateContent({ model, contents, config: { tools: wire.tools } });
 * const calls = fromGeminiResponse(response, wire);
 * ```
 */
export function fromGeminiResponse(response: unknown, wire?: WireTools): ToolCall[] {
  const [candidate] = objectsIn(fieldOf(response, "candidates"));
  const content = candidate === undefined ? response : candidate["content"];
  const turn = fieldOf(response, "responseId");
  const parts = objectsIn(fieldOf(content, "parts"));
  const calls = parts.flatMap(({ functionCall: called }) => {
    if (!isJsonObject(called)) return [];
    const call = readWireCall({ id: called["id"], turn, name: called["name"], params: called["args"] ?? {} }, wire);
    // A piece of a call whose arguments are streamed.
    return markCutOff([call], called["willContinue"] === true ? null : undefined, COMPLETE);
  });
  const last = parts.findLast(({ text }) => text !== "");
  return markCutOff(calls, reasonOf(candidate), COMPLETE, isJsonObject(last?.["functionCall"]));
}

/** Why an answer ended. Without a reason the model has not stopped: the candidate is a chunk of a stream. */
function reasonOf(candidate: { readonly [key: string]: unknown } | undefined): unknown {
  return candidate === undefined ? undefined : (candidate["finishReason"] ?? null);
}

const ENDS: AnswerEnds = { complete: COMPLETE, length: new Set(["max_tokens"]) };

/**
 * The adapter of the Gemini API for `runTools`: reads each response, and appends its content and the results of its
 * calls.
 *
 * @param contents - The conversation. It is appended to.
 * @param wire - The result of `toGeminiTools`.
 *
 * @example
 * ```ts
 * const { end } = await runTools(registry, {
 *   ...geminiTurns(contents, wire),
 *   ask: () => client.models.generateContent({ model, contents, config: { tools: wire.tools } }),
 * });
 * ```
 */
export function geminiTurns(contents: unknown[], wire: WireTools): ModelTurns {
  return {
    read(response) {
      const [candidate] = objectsIn(fieldOf(response, "candidates"));
      const blocked = fieldOf(fieldOf(response, "promptFeedback"), "blockReason");
      return {
        calls: fromGeminiResponse(response, wire),
        ...endOfAnswer(candidate === undefined ? (blocked ?? null) : reasonOf(candidate), ENDS),
        tokens: sumOf(fieldOf(fieldOf(response, "usageMetadata"), "totalTokenCount")),
      };
    },
    add(response, calls, results) {
      const content = objectsIn(fieldOf(response, "candidates"))[0]?.["content"];
      if (objectsIn(fieldOf(content, "parts")).length > 0) contents.push(content);
      if (calls.length > 0) contents.push(toGeminiResults(calls, results, wire));
    },
  };
}

/**
 * The content that answers the calls of a turn. Append it after the model's content, which must be kept whole with its
 * thought signatures. A result's metadata, data and repairs are never in it.
 *
 * @param wire - The result of `toGeminiTools`: a response bears the name that the provider knows, and the tools that a
 * search has found are appended to its declarations.
 * @throws {ToolError} Code `results_mismatch` when there is not one result a call.
 *
 * @example
 * ```ts
 * const results = await registry.dispatchAll(calls, { context });
 * contents.push(toGeminiResults(calls, results, wire));
 * ```
 */
export function toGeminiResults(
  calls: readonly ToolCall[],
  results: readonly ToolResult[],
  wire?: Pick<WireTools, "names" | "deferred">,
): GeminiResultContent {
  const media: GeminiResultPart[] = [];
  const responses = answeredCalls("Gemini", calls, results).map(({ call, index, result }): GeminiResultPart => {
    loadFound({ call, result }, wire);
    const text = textWithFollowers(result, `call ${index + 1} (${call.name})`, (part, label) => {
      if (!isShown(part)) return false;
      media.push({ text: label }, { inlineData: { mimeType: part.mimeType, data: part.data } });
      return true;
    });
    return {
      functionResponse: {
        ...(call.id !== undefined && { id: call.id }),
        name: wire?.names.toWire(call.name) ?? call.name,
        response: result.success ? { output: text } : { error: text },
      },
    };
  });
  return { role: "user", parts: [...responses, ...media] };
}

function isShown({ type, mimeType }: MediaPart): boolean {
  if (type === "image") return SUPPORTED_IMAGES.has(mimeType);
  return type === "file" ? mimeType === PDF : SUPPORTED_AUDIO.has(mimeType);
}

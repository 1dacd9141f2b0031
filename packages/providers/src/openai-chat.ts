import type { MediaPart, ModelTurns, ToolCall, ToolResult } from "@dispatch/tools-interface";
import { MODEL_NAMES, type ToolSource, checkOptions } from "@dispatch/tools-interface/internal";
import { type AnswerEnds, endOfAnswer, markCutOff } from "./answer-end.ts";
import { loadFound } from "./found-tools.ts";
import { prepareForOpenAi } from "./openai-schema.ts";
import { fieldOf, objectsIn, readWireCall, sumOf } from "./read-calls.ts";
import {
  type AnsweredCall,
  PDF,
  SUPPORTED_IMAGES,
  answeredCalls,
  dataUrl,
  fileName,
  textWithFollowers,
} from "./result-parts.ts";
import { type LoadOptions, type StrictOptions, type WireTools, createWireTools } from "./wire/wire-tools.ts";

/** A tool as Chat Completions takes it, of OpenAI and of the many servers that speak it. */
export interface OpenAiChatTool {
  /** Marks the kind of tool. */
  type: "function";
  /** The tool itself. */
  function: {
    /** Up to 64 letters, digits, `_` and `-`. */
    name: string;
    /** Describes the tool to a model. */
    description: string;
    /** JSON Schema of the arguments. */
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
    { loaded: options.loaded },
  );
}

/** Reasons for which a message with calls ends complete, those of servers that imitate the API among them. */
const COMPLETE: ReadonlySet<string> = new Set([
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
  return markCutOff(calls, reasonOf(message, choice), COMPLETE);
}

function reasonOf(message: unknown, choice: unknown): unknown {
  const refused = fieldOf(message, "refusal");
  return typeof refused === "string" && refused !== "" ? "refusal" : fieldOf(choice, "finish_reason");
}

const ENDS: AnswerEnds = { complete: COMPLETE, length: new Set(["length", "max_tokens"]) };

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
        ...endOfAnswer(choice === undefined ? null : reasonOf(choice["message"], choice), ENDS),
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
  return typeof id === "string" && typeof created === "number" ? `${id}@${created}` : undefined;
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

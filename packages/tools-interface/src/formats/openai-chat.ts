import type { ToolCall } from "../call/parse-call.ts";
import { MODEL_NAMES } from "../call/wire-names.ts";
import type { ModelTurns } from "../registry/model-turn.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { endOfAnswer, markCutOff, type AnswerEnds } from "./answer-end.ts";
import { prepareForOpenAi } from "./openai-schema.ts";
import { fieldOf, objectsIn, readWireCall, sumOf } from "./read-calls.ts";
import {
  answeredCalls,
  dataUrl,
  imagePlaceholder,
  SUPPORTED_IMAGES,
  shownParts,
  type AnsweredCall,
} from "./result-parts.ts";
import type { ToolSource } from "./wire/tool-source.ts";
import { createWireTools, type StrictOptions, type WireTools } from "./wire/wire-tools.ts";

/** A tool as Chat Completions takes it, of OpenAI and of the many servers that speak it. */
export interface OpenAiChatTool {
  /** Marks the kind of tool. */
  type: "function";
  /** The tool itself. */
  function: {
    /** Up to 64 letters, digits, `_` and `-`. */
    name: string;
    /** What the tool does. */
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
  /** What the model reads. The API has no field for failures; their text says so. */
  content: string;
}

/** The images of all results of a turn, which the API takes from the user's side only. */
export interface OpenAiChatImageMessage {
  /** Images come from the user's side. */
  role: "user";
  /** Each image after a line that says what it belongs to. */
  content: ({ type: "text"; text: string } | { type: "image_url"; image_url: { url: string } })[];
}

/**
 * Tools for Chat Completions.
 *
 * @throws {ToolError} Code `duplicate_tool` when two of a list have one name.
 */
export function toOpenAiChatTools(source: ToolSource, options: StrictOptions = {}): WireTools<OpenAiChatTool> {
  return createWireTools(
    source,
    MODEL_NAMES,
    (tool) => prepareForOpenAi(tool, options),
    ({ tool: { description }, wireName, schema, strict }) => ({
      type: "function",
      function: { name: wireName, description, parameters: { ...schema }, strict },
    }),
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
 * is read. The last call of a completion that was cut off (`length`, `content_filter`, a stream without an end) is marked
 * `cutOff` and will not be executed.
 *
 * @param completion - A completion, or the message of one of its choices, which does not tell how it ended.
 * @param wire - What `toOpenAiChatTools` answered: gives the tools their own names back, and the arguments their own shape.
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
 * What `runTools` needs of Chat Completions: reads each completion, and appends its message and the results of its calls.
 *
 * @param messages - The conversation. It is appended to.
 * @param wire - What `toOpenAiChatTools` answered.
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
      messages.push(...toOpenAiChatResults(calls, results));
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
 * The messages that answer the calls of a turn: one a call, in their order, and after them one with all images if there
 * are any. Append them after the assistant's message. A result's metadata, data and repairs are never in them.
 *
 * @throws {ToolError} Code `results_mismatch` when there is not one result a call.
 */
export function toOpenAiChatResults(
  calls: readonly ToolCall[],
  results: readonly ToolResult[],
): (OpenAiChatToolMessage | OpenAiChatImageMessage)[] {
  const answered = answeredCalls("OpenAI", calls, results);
  const images: OpenAiChatImageMessage["content"] = [];
  const messages = answered.map((one) => toToolMessage(one, images));
  return images.length === 0 ? messages : [...messages, { role: "user", content: images }];
}

function toToolMessage(
  { call, index, result }: AnsweredCall,
  images: OpenAiChatImageMessage["content"],
): OpenAiChatToolMessage {
  let shown = 0;
  const lines = shownParts(result).map((part) => {
    if (part.type === "text") return part.text;
    if (!SUPPORTED_IMAGES.has(part.mimeType)) return imagePlaceholder(part, "cannot be shown here");
    shown += 1;
    const label = `Image ${shown} of the result of call ${index + 1} (${call.id ?? call.name})`;
    images.push({ type: "text", text: label }, { type: "image_url", image_url: { url: dataUrl(part) } });
    return imagePlaceholder(part, `follows below as "${label}"`);
  });
  return { role: "tool", tool_call_id: call.id ?? "", content: lines.join("\n") };
}

import type { ToolCall } from "../call/parse-call.ts";
import { MODEL_NAMES } from "../call/wire-names.ts";
import type { ModelTurns } from "../registry/model-turn.ts";
import type { MediaPart } from "../result/content-part.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { endOfAnswer, markCutOff, type AnswerEnds } from "./answer-end.ts";
import { prepareForOpenAi } from "./openai-schema.ts";
import { fieldOf, objectsIn, readWireCall, sumOf } from "./read-calls.ts";
import { answeredCalls, dataUrl, fileName, PDF, SUPPORTED_IMAGES, writeParts } from "./result-parts.ts";
import type { ToolSource } from "./wire/tool-source.ts";
import { createWireTools, type StrictOptions, type WireTools } from "./wire/wire-tools.ts";

/** A tool as the Responses API takes it. */
export interface OpenAiTool {
  /** Marks the kind of tool. */
  type: "function";
  /** Up to 64 letters, digits, `_` and `-`. */
  name: string;
  /** What the tool does. */
  description: string;
  /** JSON Schema of the arguments. */
  parameters: { [keyword: string]: unknown };
  /** Whether the API enforces the schema. Always said: when it is left out the API makes the schema strict by itself. */
  strict: boolean;
}

/** One piece of what a result shows. */
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
  /** What the model reads: text, or text and images. The API has no field for failures; their text says so. */
  output: string | OpenAiOutputPart[];
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
 * input.push(...(response.output as typeof input), ...toOpenAiResults(calls, results));
 * ```
 */
export function toOpenAiTools(source: ToolSource, options: StrictOptions = {}): WireTools<OpenAiTool> {
  return createWireTools(
    source,
    MODEL_NAMES,
    (tool) => prepareForOpenAi(tool, options),
    ({ tool: { description }, wireName, schema, strict }) => ({
      type: "function",
      name: wireName,
      description,
      parameters: { ...schema },
      strict,
    }),
  );
}

const COMPLETE: ReadonlySet<string> = new Set(["completed"]);

/**
 * The calls in a response of the Responses API, in order; none for anything that is no such response. A call that the
 * response was cut off in is marked `cutOff` and will not be executed.
 *
 * @param response - A response, or its `output`.
 * @param wire - What `toOpenAiTools` answered: gives the tools their own names back, and the arguments their own shape.
 */
export function fromOpenAiResponse(response: unknown, wire?: WireTools): ToolCall[] {
  const turn = fieldOf(response, "id");
  const items = objectsIn(Array.isArray(response) ? response : fieldOf(response, "output"));
  const calls = items
    .filter(({ type }) => type === "function_call")
    .flatMap((item) =>
      markCutOff(
        [
          readWireCall(
            { id: item["call_id"] ?? item["id"], turn, name: item["name"], params: item["arguments"] },
            wire,
          ),
        ],
        item["status"],
        COMPLETE,
      ),
    );
  const end = endOf(response);
  return markCutOff(calls, end, COMPLETE, end === REFUSAL || items.at(-1)?.["type"] === "function_call");
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
 * What `runTools` needs of the Responses API: reads each response, and appends its output and the results of its calls.
 *
 * @param input - The conversation. It is appended to.
 * @param wire - What `toOpenAiTools` answered.
 */
export function openAiTurns(input: unknown[], wire: WireTools): ModelTurns {
  return {
    read: (response) => ({
      calls: fromOpenAiResponse(response, wire),
      ...endOfAnswer(endOf(response), ENDS),
      tokens: sumOf(fieldOf(fieldOf(response, "usage"), "total_tokens")),
    }),
    add: (response, calls, results) =>
      input.push(...objectsIn(fieldOf(response, "output")), ...toOpenAiResults(calls, results)),
  };
}

/**
 * The items that answer the calls of a response, in the order of the calls. Append them to `input` after the response's
 * `output`, or send them with `previous_response_id`. A result's metadata, data and repairs are never in them.
 *
 * @throws {ToolError} Code `results_mismatch` when there is not one result a call.
 */
export function toOpenAiResults(calls: readonly ToolCall[], results: readonly ToolResult[]): OpenAiToolResult[] {
  return answeredCalls("OpenAI", calls, results).map(({ call, result }) => {
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

import { type WireNames, isJsonObject } from "@dispatch/tools-interface/internal";
import { GeminiArguments, goesOn, isFurtherPiece } from "./gemini-arguments.ts";
import { fieldOf, objectsIn } from "./read-calls.ts";

/** A piece of a call's arguments, while the model still makes the call. Nothing may be run for it: more may follow. */
export interface CallDelta {
  /** Marks the kind of event. */
  readonly type: "call-delta";
  /** Identifies the call. Empty when the provider has not said it. */
  readonly callId: string;
  /** The tool, by its own name. */
  readonly name: string;
  /** The next piece of the arguments' JSON text. Empty for the first piece of a call without any. */
  readonly delta: string;
}

/** Reads the events of one stream, in their order. Anything else answers none. */
export type CallDeltaReader = (event: unknown) => CallDelta[];

type Names = { readonly names: Pick<WireNames, "fromWire"> } | undefined;

/** The calls that a stream has begun, by the key that its events use for them. */
class StreamedCalls {
  readonly #calls = new Map<unknown, { readonly callId: string; readonly name: string }>();
  readonly #wire: Names;

  constructor(wire: Names) {
    this.#wire = wire;
  }

  begin(key: unknown, id: unknown, wireName: unknown): void {
    const name = typeof wireName === "string" ? wireName : "";
    const callId = typeof id === "string" ? id : "";
    this.#calls.set(key, { callId, name: this.#wire?.names.fromWire(name) ?? name });
  }

  delta(key: unknown, delta: unknown = ""): CallDelta[] {
    const call = this.#calls.get(key);
    return call === undefined || typeof delta !== "string" ? [] : [{ type: "call-delta", ...call, delta }];
  }
}

/**
 * Reads the arguments of calls as they are streamed by the Messages API.
 *
 * @param wire - The result of `toAnthropicTools`.
 *
 * @example
 * ```ts
 * const read = anthropicDeltas(wire);
 * stream.on("streamEvent", (event) => read(event).forEach(show));
 * ```
 */
export function anthropicDeltas(wire?: Names): CallDeltaReader {
  const calls = new StreamedCalls(wire);
  return (event) => {
    const index = fieldOf(event, "index");
    const block = fieldOf(event, "content_block");
    if (fieldOf(event, "type") === "content_block_start" && fieldOf(block, "type") === "tool_use") {
      calls.begin(index, fieldOf(block, "id"), fieldOf(block, "name"));
      return calls.delta(index);
    }
    const delta = fieldOf(event, "delta");
    return fieldOf(delta, "type") === "input_json_delta" ? calls.delta(index, fieldOf(delta, "partial_json")) : [];
  };
}

/**
 * Reads the arguments of calls as they are streamed by the Responses API.
 *
 * @param wire - The result of `toOpenAiTools`.
 *
 * @example
 * ```ts
 * const read = openAiDeltas(wire);
 * for await (const event of stream) read(event).forEach(show);
 * ```
 */
export function openAiDeltas(wire?: Names): CallDeltaReader {
  const calls = new StreamedCalls(wire);
  return (event) => {
    const index = fieldOf(event, "output_index");
    const item = fieldOf(event, "item");
    if (fieldOf(event, "type") === "response.output_item.added" && fieldOf(item, "type") === "function_call") {
      calls.begin(index, fieldOf(item, "call_id"), fieldOf(item, "name"));
      return calls.delta(index);
    }
    const isDelta = fieldOf(event, "type") === "response.function_call_arguments.delta";
    return isDelta ? calls.delta(index, fieldOf(event, "delta")) : [];
  };
}

/**
 * Reads the arguments of calls as they are streamed by Chat Completions.
 *
 * @param wire - The result of `toOpenAiChatTools`.
 *
 * @example
 * ```ts
 * const read = openAiChatDeltas(wire);
 * stream.on("chunk", (chunk) => read(chunk).forEach(show));
 * ```
 */
export function openAiChatDeltas(wire?: Names): CallDeltaReader {
  const calls = new StreamedCalls(wire);
  return (chunk) => {
    const [choice] = objectsIn(fieldOf(chunk, "choices"));
    return objectsIn(fieldOf(choice?.["delta"], "tool_calls")).flatMap(({ index, id, function: called }) => {
      if (typeof id === "string" && id !== "") calls.begin(index, id, fieldOf(called, "name"));
      return calls.delta(index, fieldOf(called, "arguments"));
    });
  };
}

/**
 * Reads the arguments of calls as they are streamed by the Gemini API. It streams them if `functionCallingConfig` says
 * `streamFunctionCallArguments`, which at present only Vertex AI takes; else each call comes in one piece.
 *
 * @param wire - The result of `toGeminiTools`.
 *
 * @example
 * ```ts
 * const read = geminiDeltas(wire);
 * for await (const chunk of stream) read(chunk).forEach(show);
 * ```
 */
export function geminiDeltas(wire?: Names): CallDeltaReader {
  const calls = new StreamedCalls(wire);
  let text = new GeminiArguments();
  return (chunk) => {
    const [candidate] = objectsIn(fieldOf(chunk, "candidates"));
    return objectsIn(fieldOf(candidate?.["content"], "parts")).flatMap(({ functionCall: called }) => {
      if (!isJsonObject(called)) return [];
      if (!isFurtherPiece(called)) {
        text = new GeminiArguments();
        calls.begin(0, called["id"], called["name"]);
        if (!goesOn(called) && called["partialArgs"] === undefined)
          return calls.delta(0, JSON.stringify(called["args"] ?? {}));
      }
      const piece = text.write(called["partialArgs"]);
      return calls.delta(0, goesOn(called) ? piece : piece + text.end());
    });
  };
}

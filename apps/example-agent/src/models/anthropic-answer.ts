import type { Message, RawContentBlockDeltaEvent, RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages";
import { argumentsObject } from "./sent-arguments.ts";

/** A block as far as it has come. */
type Block = Message["content"][number];
type Delta = RawContentBlockDeltaEvent["delta"];

/**
 * A message put together from its stream. The SDK's own way throws where the JSON of a call is broken, and closes JSON that
 * breaks off: half a text would be taken for the whole. Here such a call keeps its text, which the registry repairs or refuses.
 */
export class AnthropicAnswer {
  #message: Message | undefined;
  #isWhole = false;
  readonly #blocks = new Map<number, Block>();
  /** The JSON text of the arguments of calls, by the index of their block. */
  readonly #json = new Map<number, string>();

  /** Takes in the next event. Answers the text in it. */
  add(event: RawMessageStreamEvent): string {
    if (event.type === "message_start") this.#message = event.message;
    else if (event.type === "content_block_start") this.#blocks.set(event.index, { ...event.content_block });
    else if (event.type === "content_block_delta") return this.#addTo(event.index, event.delta);
    else if (event.type === "message_delta" && this.#message !== undefined) {
      const { delta, usage } = event;
      const counted = Object.fromEntries(Object.entries(usage ?? {}).filter(([, count]) => count !== null));
      this.#message = { ...this.#message, ...delta, usage: { ...this.#message.usage, ...counted } };
    } else if (event.type === "message_stop") this.#isWhole = true;
    return "";
  }

  #addTo(index: number, delta: Delta): string {
    const block = this.#blocks.get(index);
    if (delta.type === "input_json_delta") {
      this.#json.set(index, (this.#json.get(index) ?? "") + delta.partial_json);
    } else if (delta.type === "text_delta" && block?.type === "text") {
      block.text += delta.text;
      return delta.text;
    } else if (delta.type === "citations_delta" && block?.type === "text") {
      block.citations = [...(block.citations ?? []), delta.citation];
    } else if (delta.type === "thinking_delta" && block?.type === "thinking") block.thinking += delta.thinking;
    else if (delta.type === "signature_delta" && block?.type === "thinking") block.signature = delta.signature;
    return "";
  }

  /**
   * The whole message. `message` has the arguments of a call as its text where they are no JSON; `sendable` has an object in
   * their place, as the API wants it back.
   *
   * @throws {Error} When the stream ended before the message did.
   */
  end(): { readonly message: Message; readonly sendable: readonly Block[] } {
    const message = this.#message;
    if (message === undefined || !this.#isWhole) throw new Error("the stream ended before the message did");
    const content = [...this.#blocks]
      .toSorted(([one], [other]) => one - other)
      .map(([index, block]) => {
        const json = this.#json.get(index) ?? "";
        return json === "" || !("input" in block) ? block : { ...block, input: read(json) };
      });
    const sendable = content.map((block) => {
      return "input" in block && typeof block.input === "string"
        ? { ...block, input: argumentsObject({ name: block.name, arguments: block.input }) }
        : block;
    });
    return { message: { ...message, content }, sendable };
  }
}

/** The value that a text is the JSON of; the text itself if it is none. */
function read(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

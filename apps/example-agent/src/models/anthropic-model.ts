import type { MessageParam, Message as AnthropicMessage } from "@anthropic-ai/sdk/resources/messages";
import {
  fromAnthropicMessage,
  toAnthropicResults,
  toAnthropicTools,
  type WireTools,
} from "@dispatch/providers/anthropic";
import type { ToolCall } from "@dispatch/tools-interface";
import { callsBefore, type AssistantTurn, type Message } from "../agent/conversation.ts";
import { ModelError, type Model } from "../agent/model.ts";
import { AnthropicAnswer } from "./anthropic-answer.ts";
import { createLoggingFetch, SDK_LIMITS } from "./logging-fetch.ts";
import { providerError } from "./provider-error.ts";
import { argumentsObject } from "./sent-arguments.ts";
import type { Silence } from "./silence.ts";

/** Tokens that every current model can read. */
const CONTEXT_TOKENS = 200_000;
/** Longest answer requested, in tokens. Every current model supports it; streamed, so that no proxy loses patience. */
const MAX_ANSWER = 32_000;
/** The provider caches everything before a mark for the next turn: tools, instructions, the conversation so far. */
const CACHED = { cache_control: { type: "ephemeral" } } as const;

/** A model of Anthropic. The key is that of the environment, as the SDK reads it. */
export async function createAnthropicModel(model: string, silence?: Silence): Promise<Model> {
  const { Anthropic } = await import("@anthropic-ai/sdk");
  const name = `anthropic:${model}`;
  return {
    name,
    real: true,
    contextTokens: CONTEXT_TOKENS,
    async respond({ instructions, conversation, registry, signal, onText, onNotice }) {
      const watched = createLoggingFetch(onNotice, silence);
      const client = new Anthropic({ fetch: watched.fetch, ...SDK_LIMITS });
      const wire = toAnthropicTools(registry);
      try {
        const stream = await client.messages.create(
          {
            model,
            max_tokens: MAX_ANSWER,
            system: [{ type: "text", text: instructions, ...CACHED }],
            tools: wire.tools.map((tool, index) => (index === wire.tools.length - 1 ? { ...tool, ...CACHED } : tool)),
            messages: toMessages(conversation, name, wire),
            cache_control: CACHED.cache_control,
            stream: true,
          },
          { signal },
        );
        const answer = new AnthropicAnswer();
        for await (const event of stream) {
          const piece = answer.add(event);
          if (piece !== "") onText(piece);
        }
        return toTurn(answer, name, wire);
      } catch (error) {
        signal.throwIfAborted();
        throw providerError(name, error, watched);
      }
    },
  };
}

function toTurn(answer: AnthropicAnswer, name: string, wire: WireTools): AssistantTurn {
  const { message, sendable } = answer.end();
  const { stop_reason: reason, usage, content } = message;
  if (reason === "refusal") throw new ModelError(`Cannot get an answer of ${name}: the model refused to answer`);
  if (reason === "model_context_window_exceeded") {
    throw new ModelError(`Cannot get an answer of ${name}: the conversation is longer than the model can read`, {
      tooLong: {},
    });
  }
  const cached = usage.cache_read_input_tokens ?? 0;
  const input = usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0);
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
  const counted = { input, cached, output: usage.output_tokens };
  // The API refuses to be sent back the empty text it sometimes sends.
  const kept = sendable.filter((block) => block.type !== "text" || block.text.trim() !== "");
  return {
    text,
    calls: fromAnthropicMessage(message, wire),
    ...(reason === "max_tokens" && { cutOff: true }),
    usage: counted,
    original: { model: name, content: kept },
  };
}

function toMessages(conversation: readonly Message[], name: string, wire: WireTools): MessageParam[] {
  return conversation.flatMap((message, index): MessageParam[] => {
    if (message.role === "user") return [{ role: "user", content: message.text }];
    if (message.role === "tool") return [toAnthropicResults(callsBefore(conversation, index), message.results)];
    const content = message.original?.model === name ? message.original.content : rebuilt(message, wire);
    return content.length === 0 ? [] : [{ role: "assistant", content: content as AnthropicMessage["content"] }];
  });
}

/** A turn of another model, in this provider's words. */
function rebuilt({ text, calls }: AssistantTurn, wire: WireTools): readonly unknown[] {
  const toBlock = (call: ToolCall): unknown => {
    return { type: "tool_use", id: call.id, name: wire.names.toWire(call.name), input: argumentsObject(call) };
  };
  return [...(text.trim() === "" ? [] : [{ type: "text", text }]), ...calls.map(toBlock)];
}

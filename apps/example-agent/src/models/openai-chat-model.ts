import { randomUUID } from "node:crypto";
import {
  fromOpenAiChatCompletion,
  toOpenAiChatResults,
  toOpenAiChatTools,
  type WireTools,
} from "@dispatch/providers/openai";
import type { ToolCall } from "@dispatch/tools-interface";
import type { ChatCompletionMessageParam, ChatCompletionChunk } from "openai/resources/chat/completions";
import { callsBefore, type AssistantTurn, type Message, type Usage } from "../agent/conversation.ts";
import { ModelError, type Model } from "../agent/model.ts";
import { createLoggingFetch, SDK_LIMITS } from "./logging-fetch.ts";
import { providerError } from "./provider-error.ts";
import { argumentsText } from "./sent-arguments.ts";
import type { Silence } from "./silence.ts";

/** A call of a chat completion, as far as it has come. */
interface ChatCall {
  readonly id: string | undefined;
  readonly index: number;
  readonly function: { name: string; arguments: string };
}

/** A chat completion put together from its stream. Servers that speak the protocol omit different parts. */
class ChatAnswer {
  text = "";
  readonly calls: ChatCall[] = [];
  /** Why it ended; `undefined` as long as it has not, and then its calls may be halves. */
  finish: string | undefined;
  usage: Usage | undefined;

  /** Takes in the next piece. Answers the text in it. */
  add({ choices, usage }: ChatCompletionChunk): string {
    if (usage) {
      const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
      this.usage = { input: usage.prompt_tokens, cached, output: usage.completion_tokens };
    }
    const [choice] = choices;
    if (choice === undefined) return "";
    for (const piece of choice.delta.tool_calls ?? []) this.#addToCall(piece);
    this.finish = choice.finish_reason ?? this.finish;
    const text = choice.delta.content ?? choice.delta.refusal ?? "";
    this.text += text;
    return text;
  }

  /** Pieces belong together by their index; a new id begins a new call, for servers that number none. */
  #addToCall({ id, index, function: piece }: ChatCompletionChunk.Choice.Delta.ToolCall): void {
    let call = this.calls.findLast((known) => known.index === index);
    if (call === undefined || (id !== undefined && id !== "" && call.id !== undefined && id !== call.id)) {
      call = { id: id === "" ? undefined : id, index, function: { name: "", arguments: "" } };
      this.calls.push(call);
    }
    call.function.name += piece?.name ?? "";
    call.function.arguments += piece?.arguments ?? "";
  }
}

/**
 * A model behind a server that speaks Chat Completions, as Ollama, vLLM and llama.cpp do: the dialect they all share.
 *
 * @param baseURL Where it is, such as `http://localhost:11434/v1`.
 */
export async function createOpenAiChatModel(model: string, baseURL: string, silence?: Silence): Promise<Model> {
  const { OpenAI } = await import("openai");
  const name = `openai:${model}`;
  return {
    name,
    real: true,
    async respond({ instructions, conversation, registry, takenIds, signal, onText, onNotice }) {
      const watched = createLoggingFetch(onNotice, silence);
      // Most such servers want no key, and the SDK wants one.
      const apiKey = process.env["OPENAI_API_KEY"] || "none";
      const client = new OpenAI({ apiKey, baseURL, fetch: watched.fetch, ...SDK_LIMITS });
      const wire = toOpenAiChatTools(registry);
      try {
        const stream = await client.chat.completions.create(
          {
            model,
            messages: [{ role: "system", content: instructions }, ...toMessages(conversation, wire)],
            // Some servers refuse an empty list.
            ...(wire.tools.length > 0 && { tools: wire.tools }),
            stream: true,
            stream_options: { include_usage: true },
          },
          { signal },
        );
        const answer = new ChatAnswer();
        for await (const chunk of stream) {
          const piece = answer.add(chunk);
          if (piece !== "") onText(piece);
        }
        return toTurn(answer, name, wire, takenIds);
      } catch (error) {
        signal.throwIfAborted();
        throw providerError(name, error, watched);
      }
    },
  };
}

function toTurn(answer: ChatAnswer, name: string, wire: WireTools, takenIds: ReadonlySet<string>): AssistantTurn {
  const { text, usage, finish } = answer;
  const turn = { text, ...(usage && { usage }) };
  if (finish === undefined) throw new Error("the stream ended without a finish_reason");
  if (finish === "content_filter") throw new ModelError(`Cannot get an answer of ${name}: it was filtered out`);
  const message = { tool_calls: answer.calls };
  const calls = fromOpenAiChatCompletion({ choices: [{ message, finish_reason: finish }] }, wire);
  return { ...turn, ...(finish === "length" && { cutOff: true }), calls: withOwnIds(calls, takenIds) };
}

/**
 * Some servers send no ids, and some count them from one in every answer. An id that was there before would be taken for
 * the same call, and answered from the record.
 */
function withOwnIds(calls: readonly ToolCall[], takenIds: ReadonlySet<string>): readonly ToolCall[] {
  const taken = new Set(takenIds);
  return calls.map((call) => {
    const id = call.id === undefined || taken.has(call.id) ? `call_${randomUUID()}` : call.id;
    taken.add(id);
    return { ...call, id };
  });
}

function toMessages(conversation: readonly Message[], wire: WireTools): ChatCompletionMessageParam[] {
  return conversation.flatMap((message, index): ChatCompletionMessageParam[] => {
    if (message.role === "user") return [{ role: "user", content: message.text }];
    if (message.role === "tool") return toOpenAiChatResults(callsBefore(conversation, index), message.results);
    const { text, calls } = message;
    if (calls.length === 0) return text === "" ? [] : [{ role: "assistant", content: text }];
    const toolCalls = calls.map((call) => ({
      type: "function" as const,
      id: call.id ?? "",
      function: { name: wire.names.toWire(call.name), arguments: argumentsText(call) },
    }));
    return [{ role: "assistant", content: text, tool_calls: toolCalls }];
  });
}

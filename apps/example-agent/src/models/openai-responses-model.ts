import { fromOpenAiResponse, toOpenAiResults, toOpenAiTools, type WireTools } from "@dispatch/providers/openai";
import type { ToolCall } from "@dispatch/tools-interface";
import type { Response, ResponseInputItem } from "openai/resources/responses/responses";
import { callsBefore, type AssistantTurn, type Message } from "../agent/conversation.ts";
import { ModelError, type Model } from "../agent/model.ts";
import { createLoggingFetch, SDK_LIMITS } from "./logging-fetch.ts";
import { providerError } from "./provider-error.ts";
import { argumentsText } from "./sent-arguments.ts";
import type { Silence } from "./silence.ts";

/**
 * A model of OpenAI, over the Responses API: there a model keeps its reasoning from one call to the next, and its
 * newest models use tools nowhere else as well. Nothing is stored at OpenAI: reasoning comes encrypted and goes back
 * with the conversation.
 */
export async function createOpenAiResponsesModel(model: string, silence?: Silence): Promise<Model> {
  const { OpenAI } = await import("openai");
  const name = `openai:${model}`;
  let reasons = true;
  return {
    name,
    real: true,
    async respond({ instructions, conversation, registry, signal, onText, onNotice }) {
      const watched = createLoggingFetch(onNotice, silence);
      const client = new OpenAI({ fetch: watched.fetch, ...SDK_LIMITS });
      const wire = toOpenAiTools(registry);
      const ask = () =>
        client.responses.create(
          {
            model,
            instructions,
            input: toInput(conversation, name, wire),
            tools: wire.tools,
            store: false,
            stream: true,
            ...(reasons && { include: ["reasoning.encrypted_content"] }),
          },
          { signal },
        );
      try {
        const stream = await ask().catch((error: unknown) => {
          // The only way to learn that a model does not reason.
          if (!String(error).includes("Encrypted content is not supported")) throw error;
          reasons = false;
          return ask();
        });
        let response: Response | undefined;
        for await (const event of stream) {
          if (event.type === "response.output_text.delta" || event.type === "response.refusal.delta") {
            onText(event.delta);
          } else if ("response" in event && event.type !== "response.created") response = event.response;
          if (event.type === "error") throw new Error(event.message);
        }
        return toTurn(response, name, wire);
      } catch (error) {
        signal.throwIfAborted();
        throw providerError(name, error, watched);
      }
    },
  };
}

/** Only a response that says that it ended is read: calls of any other may be halves. */
function toTurn(response: Response | undefined, name: string, wire: WireTools): AssistantTurn {
  if (response?.status === "failed") throw new Error(response.error?.message ?? "the response failed");
  const reason = response?.incomplete_details?.reason;
  if (response?.status === "incomplete" && reason !== "max_output_tokens") {
    throw new ModelError(`Cannot get an answer of ${name}: it ended early (${reason ?? "no reason was given"})`);
  }
  if (response?.status !== "completed" && response?.status !== "incomplete") {
    throw new Error("the stream ended before the response did");
  }
  const isCut = response.status === "incomplete";
  const { output, usage } = response;
  const text = output
    .flatMap((item) => (item.type === "message" ? item.content : []))
    .map((part) => (part.type === "output_text" ? part.text : part.refusal))
    .join("");
  const counted = usage && {
    input: usage.input_tokens,
    cached: usage.input_tokens_details.cached_tokens,
    output: usage.output_tokens,
  };
  const answer = { text, ...(counted && { usage: counted }) };
  const calls = fromOpenAiResponse(response, wire);
  // The rest of a cut answer is sent back in the conversation's own format: its items are not whole.
  return { ...answer, calls, ...(isCut ? { cutOff: true } : { original: { model: name, content: output } }) };
}

function toInput(conversation: readonly Message[], name: string, wire: WireTools): ResponseInputItem[] {
  return conversation.flatMap((message, index): ResponseInputItem[] => {
    if (message.role === "user") return [{ role: "user", content: message.text }];
    if (message.role === "tool") return toOpenAiResults(callsBefore(conversation, index), message.results);
    if (message.original?.model === name) return message.original.content as ResponseInputItem[];
    return rebuilt(message, wire);
  });
}

/** A turn of another model, in this provider's words. */
function rebuilt({ text, calls }: AssistantTurn, wire: WireTools): ResponseInputItem[] {
  const toItem = (call: ToolCall): ResponseInputItem => ({
    type: "function_call",
    call_id: call.id ?? "",
    name: wire.names.toWire(call.name),
    arguments: argumentsText(call),
  });
  return [...(text.trim() === "" ? [] : [{ role: "assistant" as const, content: text }]), ...calls.map(toItem)];
}

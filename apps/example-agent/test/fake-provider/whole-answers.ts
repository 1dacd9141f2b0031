import { argumentPieces, type Answer } from "./answer.ts";
import type { Reply } from "./fake-provider.ts";
import { responsesEvents } from "./responses-events.ts";

/** An answer in one piece, as a provider sends it when no stream is asked for. */
export function whole(body: object): Reply {
  return (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
}

/** An answer of the Messages API. */
export function anthropicMessage({ text = "", calls = [], cutOff = false, stopReason }: Answer): object {
  const uses = calls.map(({ id, name, input }, index) => {
    // A cut-off call has the parameters that came before the cut.
    const isCut = cutOff && index === calls.length - 1;
    return {
      type: "tool_use",
      id,
      name,
      input: isCut ? Object.fromEntries(Object.entries(input).slice(0, -1)) : input,
    };
  });
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [...(text === "" ? [] : [{ type: "text", text }]), ...uses],
    stop_reason: stopReason ?? (cutOff ? "max_tokens" : calls.length > 0 ? "tool_use" : "end_turn"),
    stop_sequence: null,
    usage: { input_tokens: 42, output_tokens: 7 },
  };
}

/** An answer of Chat Completions. */
export function chatCompletion({ text = "", calls = [], cutOff = false, stopReason, refusal }: Answer): object {
  const toolCalls = calls.map(({ id, name, input }, index) => {
    const isCut = cutOff && index === calls.length - 1;
    return { id, type: "function", function: { name, arguments: argumentPieces(input, isCut).join("") } };
  });
  const message = { role: "assistant", content: text, refusal, ...(calls.length > 0 && { tool_calls: toolCalls }) };
  const reason = stopReason ?? (cutOff ? "length" : calls.length > 0 ? "tool_calls" : "stop");
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message, finish_reason: reason }],
    usage: { prompt_tokens: 42, completion_tokens: 7, total_tokens: 49 },
  };
}

/** An answer of the Responses API: the one that the last event of its stream holds. */
export function responsesResponse(answer: Answer): object {
  const last = responsesEvents(answer).at(-1) ?? "";
  const { response } = JSON.parse(last.slice(last.indexOf("data: ") + 6)) as { readonly response: object };
  return response;
}

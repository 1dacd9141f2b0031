import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import type { Usage } from "../agent/conversation.ts";

/** A call of a chat completion, as far as it has come. */
interface ChatCall {
  readonly id: string | undefined;
  readonly index: number;
  readonly function: { name: string; arguments: string };
}

/** A chat completion put together from its stream. Servers that speak the protocol omit different parts. */
export class ChatAnswer {
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

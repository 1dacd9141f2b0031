import { refuse, stream, type Reply } from "./fake-provider.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of three protocols
type Body = any;

/** Bytes of a piece: a session has some thousand answers, and the tests of the models have them in the smallest pieces. */
const PIECE_BYTES = 997;

/** A provider's request, checked as a real one does. */
interface Checked {
  /** The texts of the user and of tools, in order. */
  readonly texts: readonly string[];
  /** Whether tools are offered. */
  readonly hasTools: boolean;
}

/**
 * Answers like a provider whose model reads so many tokens: a longer request is refused, and so is one in which a call has no
 * result or a result no call.
 *
 * @param charsPerToken - Characters of the request's JSON that are counted as a token.
 */
export function strictWindow(
  limit: number,
  charsPerToken: number,
  answer: (request: Checked, tokens: number) => readonly string[],
): Reply & { readonly refused: () => number } {
  let refused = 0;
  const reply: Reply = (response, asked) => {
    const tokens = Math.ceil(JSON.stringify(asked.body).length / charsPerToken);
    const wrong = asked.path.includes("messages")
      ? checkMessages(asked.body)
      : asked.path.includes("responses")
        ? checkResponses(asked.body)
        : checkChat(asked.body);
    if (wrong !== undefined) return refuse(400, wrong)(response, asked);
    if (tokens > limit) {
      refused += 1;
      return refuse(400, tooLong(asked.path, tokens, limit))(response, asked);
    }
    const texts = textsOf(asked.body);
    const events = answer({ texts, hasTools: (asked.body.tools ?? []).length > 0 }, tokens);
    return stream(events, "end", PIECE_BYTES)(response, asked);
  };
  return Object.assign(reply, { refused: () => refused });
}

/** As each provider says it. */
function tooLong(path: string, tokens: number, limit: number): string {
  if (path.includes("messages")) return `prompt is too long: ${tokens} tokens > ${limit} maximum`;
  if (path.includes("responses"))
    return "Your input exceeds the context window of this model. Please adjust your input and try again.";
  return `This model's maximum context length is ${limit} tokens. However, you requested ${tokens} tokens.`;
}

function checkMessages({ messages }: Body): string | undefined {
  if (messages[0]?.role !== "user") return "messages: first message must use the user role";
  let open: string[] = [];
  for (const { role, content } of messages) {
    const blocks = typeof content === "string" ? [] : content;
    const results = blocks.flatMap((block: Body) => (block.type === "tool_result" ? [block.tool_use_id] : []));
    if (role === "user" && String(results) !== String(open))
      return `tool_use ids ${open.join()} without tool_result: ${results.join()}`;
    open = role === "assistant" ? blocks.flatMap((block: Body) => (block.type === "tool_use" ? [block.id] : [])) : [];
    if (role === "assistant" && blocks.length === 0 && content === "") return "content must not be empty";
  }
  return open.length > 0 ? `tool_use ids ${open.join()} without tool_result` : undefined;
}

function checkResponses({ input }: Body): string | undefined {
  const open = new Set<string>();
  for (const item of input) {
    if (item.type === "function_call") open.add(item.call_id);
    if (item.type === "function_call_output" && !open.delete(item.call_id))
      return `No tool call found for ${item.call_id}`;
  }
  return open.size > 0 ? `No tool output found for function call ${[...open][0]}` : undefined;
}

function checkChat({ messages, tools }: Body): string | undefined {
  if (tools !== undefined && tools.length === 0) return "[] is too short - 'tools'";
  const open: string[] = [];
  for (const { role, tool_calls: calls, tool_call_id: id } of messages) {
    if (role === "tool" && open.shift() !== id) return "messages with role 'tool' must be a response to tool_calls";
    if (role !== "tool" && open.length > 0) return `tool_call_ids did not have response messages: ${open.join()}`;
    open.push(...(calls ?? []).map((call: Body) => call.id));
  }
  return open.length > 0 ? `tool_call_ids did not have response messages: ${open.join()}` : undefined;
}

function textsOf(body: Body): readonly string[] {
  const texts: string[] = [];
  const walk = (value: Body): void => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) for (const one of Object.values(value)) walk(one);
  };
  walk(body.messages ?? body.input);
  return texts;
}

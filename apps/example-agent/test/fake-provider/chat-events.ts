import { argumentPieces, inPieces, type Answer } from "./answer.ts";

/** An answer as Chat Completions streams it. */
export function chatEvents({ text = "", calls = [], cutOff = false, inputTokens = 42 }: Answer): readonly string[] {
  const chunk = (delta: object, finish: string | null = null): object => ({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const chunks = [chunk({ role: "assistant", content: "" })];
  for (const piece of inPieces(text)) chunks.push(chunk({ content: piece }));
  for (const [index, { id, name, input }] of calls.entries()) {
    chunks.push(chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }));
    for (const piece of argumentPieces(input, cutOff && index === calls.length - 1)) {
      chunks.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  }
  chunks.push(chunk({}, cutOff ? "length" : calls.length > 0 ? "tool_calls" : "stop"));
  const usage = {
    prompt_tokens: inputTokens,
    completion_tokens: 7,
    total_tokens: inputTokens + 7,
    prompt_tokens_details: { cached_tokens: 30 },
  };
  chunks.push({ ...chunk({}), choices: [], usage });
  return [...chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`), "data: [DONE]\n\n"];
}

import { argumentPieces, inPieces, type Answer } from "./answer.ts";

/** An answer as the Messages API streams it. */
export function anthropicEvents({
  text = "",
  calls = [],
  cutOff = false,
  inputTokens = 42,
}: Answer): readonly string[] {
  const start = {
    input_tokens: inputTokens - 32,
    cache_read_input_tokens: 30,
    cache_creation_input_tokens: 2,
    output_tokens: 1,
  };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], usage: start };
  const events: object[] = [
    { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: "ping" },
  ];
  const block = (content: object, deltas: readonly object[]): void => {
    const index = events.filter(({ type }: { type?: string }) => type === "content_block_start").length;
    events.push({ type: "content_block_start", index, content_block: content });
    for (const delta of deltas) events.push({ type: "content_block_delta", index, delta });
    events.push({ type: "content_block_stop", index });
  };
  if (text !== "") {
    const thought = [
      { type: "thinking_delta", thinking: "hm" },
      { type: "signature_delta", signature: "sig" },
    ];
    block({ type: "thinking", thinking: "", signature: "" }, thought);
    block(
      { type: "text", text: "" },
      inPieces(text).map((piece) => ({ type: "text_delta", text: piece })),
    );
  }
  for (const [index, { id, name, input }] of calls.entries()) {
    const pieces = argumentPieces(input, cutOff && index === calls.length - 1);
    block(
      { type: "tool_use", id, name, input: {} },
      ["", ...pieces].map((json) => ({ type: "input_json_delta", partial_json: json })),
    );
  }
  const reason = cutOff ? "max_tokens" : calls.length > 0 ? "tool_use" : "end_turn";
  events.push({
    type: "message_delta",
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 7 },
  });
  events.push({ type: "message_stop" });
  return events.map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`);
}

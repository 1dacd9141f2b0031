/** An answer of the Messages API: these calls, or the end. */
export function message(...content: readonly object[]): object {
  return {
    id: "msg_01",
    type: "message",
    role: "assistant",
    model: "claude-opus-4-6",
    content: [{ type: "text", text: "I'll look." }, ...content],
    stop_reason: content.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 472, output_tokens: 121 },
  };
}

/** A call in an answer. */
export function use(id: string, name: string, input: object): object {
  return { type: "tool_use", id, name, input, caller: { type: "direct" } };
}

/** A message as the stream of events in which it comes. */
export function streamed(whole: object): readonly object[] {
  const { content, stop_reason, ...rest } = whole as {
    content: readonly Record<string, unknown>[];
    stop_reason: string;
  };
  const start = { type: "message_start", message: { ...rest, content: [], stop_reason: null } };
  const blocks = content.flatMap((block, index) => {
    const isText = block["type"] === "text";
    const partial_json = JSON.stringify(block["input"] ?? {});
    const deltas = isText
      ? [{ type: "text_delta", text: block["text"] }]
      : [partial_json.slice(0, 5), partial_json.slice(5)].map((half) => ({
          type: "input_json_delta",
          partial_json: half,
        }));
    return [
      { type: "content_block_start", index, content_block: isText ? { ...block, text: "" } : { ...block, input: {} } },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ];
  });
  const end = { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 121 } };
  return [start, ...blocks, end, { type: "message_stop" }];
}

import { argumentPieces, inPieces, type Answer } from "./answer.ts";

/** An answer as the Responses API streams it. */
export function responsesEvents({
  text = "",
  calls = [],
  cutOff = false,
  stopReason,
  refusal,
  inputTokens = 42,
}: Answer): readonly string[] {
  const output: object[] = [];
  const events: object[] = [];
  const usage = {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 30 },
    output_tokens: 7,
    total_tokens: inputTokens + 7,
  };
  const response = {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "m",
    error: null,
    incomplete_details: null,
  };
  const begin = (item: object): void => {
    events.push({ type: "response.output_item.added", output_index: output.length, item });
  };
  const end = (item: object): void => {
    events.push({ type: "response.output_item.done", output_index: output.length, item });
    output.push(item);
  };
  if (text !== "") {
    const thought = { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "gAAA" };
    begin({ ...thought, encrypted_content: null });
    end(thought);
    const message = { id: "msg_1", type: "message", role: "assistant", status: "completed" };
    begin({ ...message, status: "in_progress", content: [] });
    const [at, part] = [output.length, { type: "output_text", annotations: [] }];
    for (const delta of inPieces(text)) {
      events.push({ type: "response.output_text.delta", item_id: "msg_1", output_index: at, content_index: 0, delta });
    }
    end({ ...message, content: [{ ...part, text }] });
  }
  if (refusal !== undefined) {
    const content = [{ type: "refusal", refusal }];
    end({ id: "msg_2", type: "message", role: "assistant", status: "completed", content });
  }
  for (const [index, { id, name, input }] of calls.entries()) {
    const isCut = cutOff && index === calls.length - 1;
    const pieces = argumentPieces(input, isCut);
    const item = { id: `fc_${id}`, type: "function_call", call_id: id, name, status: "in_progress" };
    begin({ ...item, arguments: "" });
    for (const delta of pieces) {
      const at = { item_id: item.id, output_index: output.length };
      events.push({ type: "response.function_call_arguments.delta", ...at, delta });
    }
    end({ ...item, status: isCut ? "incomplete" : "completed", arguments: pieces.join("") });
  }
  const incomplete = { status: "incomplete", incomplete_details: { reason: stopReason ?? "max_output_tokens" } };
  const last = cutOff
    ? { type: "response.incomplete", ended: incomplete }
    : { type: "response.completed", ended: { status: "completed" } };
  const all = [
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    { type: "response.in_progress", response: { ...response, status: "in_progress", output: [] } },
    ...events,
    { type: last.type, response: { ...response, ...last.ended, output, usage } },
  ];
  return all.map((event, sequence) => {
    return `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify({ ...event, sequence_number: sequence })}\n\n`;
  });
}

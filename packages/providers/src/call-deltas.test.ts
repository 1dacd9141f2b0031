import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { describe, expect, it } from "vitest";
import { anthropicDeltas, toAnthropicTools } from "./anthropic.ts";
import { openAiChatDeltas, openAiDeltas } from "./openai.ts";

const parameters = { type: "object", properties: { path: { type: "string" } } } as const;
const execute = (): never => {
  throw new Error("a piece of a call was run");
};
const tool = defineTool({ name: "files/write", description: "Writes.", parameters, execute });
const wire = toAnthropicTools(createToolRegistry().register(tool));
const TEXT = '{"path":"a"}';
const pieces = [TEXT.slice(0, 4), TEXT.slice(4)];

const streams = [
  [
    "the Messages API",
    anthropicDeltas,
    [
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "I write." } },
      { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "c", name: "files_write" } },
      ...pieces.map((partial_json) => ({
        type: "content_block_delta",
        index: 1,
        delta: { type: "input_json_delta", partial_json },
      })),
    ],
  ],
  [
    "the Responses API",
    openAiDeltas,
    [
      { type: "response.output_item.added", output_index: 0, item: { type: "reasoning" } },
      {
        type: "response.output_item.added",
        output_index: 1,
        item: { type: "function_call", call_id: "c", name: "files_write" },
      },
      ...pieces.map((delta) => ({ type: "response.function_call_arguments.delta", output_index: 1, delta })),
      { type: "response.output_text.delta", output_index: 1, delta: "no argument" },
    ],
  ],
  [
    "Chat Completions",
    openAiChatDeltas,
    [
      { choices: [{ delta: { content: "I write." } }] },
      {
        choices: [{ delta: { tool_calls: [{ index: 0, id: "c", function: { name: "files_write", arguments: "" } }] } }],
      },
      ...pieces.map((text) => ({
        choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: text } }] } }],
      })),
    ],
  ],
] as const;

describe.each(streams)("the deltas of %s", (_api, deltas, events) => {
  it("say which call each piece belongs to, in order", () => {
    const read = deltas(wire);
    const found = events.flatMap((event) => read(event));
    expect(found.map(({ delta }) => delta).join("")).toBe(TEXT);
    for (const one of found) expect(one).toMatchObject({ type: "call-delta", callId: "c", name: "files/write" });
  });

  it("are none for anything else", () => {
    const read = deltas();
    const odd = [
      undefined,
      null,
      1,
      "x",
      [],
      {},
      { type: "content_block_delta", index: 9, delta: { type: "input_json_delta", partial_json: 5 } },
    ];
    expect([...odd, { choices: [null, { delta: { tool_calls: [null, { index: {} }] } }] }].flatMap(read)).toEqual([]);
  });
});

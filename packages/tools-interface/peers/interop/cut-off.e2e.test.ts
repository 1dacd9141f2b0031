import Anthropic from "@anthropic-ai/sdk";
import { createToolRegistry, defineTool, type ToolCall } from "@dispatch/tools-interface";
import { fromAnthropicMessage } from "@dispatch/tools-interface/anthropic";
import { fromOpenAiChatCompletion, fromOpenAiResponse } from "@dispatch/tools-interface/openai";
import OpenAI from "openai";
import { expect, it } from "vitest";
import { z } from "zod";
import { startScriptedServer } from "./scripted-server.ts";

const TEXT = JSON.stringify({ to: "a", lines: [{ amount: 5 }, { amount: 60 }, { amount: 700 }], dry_run: true });
const PARTS = Array.from({ length: TEXT.length }, (_, at) => TEXT.slice(0, at));

/** A tool that takes whatever it can get. */
function payments() {
  const paid: unknown[] = [];
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    parameters: z.looseObject({}),
    execute: (params) => {
      paid.push(params);
      return "paid";
    },
  });
  return { registry: createToolRegistry().register(pay), paid };
}

function anthropicEvents(part: string): readonly object[] {
  const message = {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
    { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "t", name: "pay", input: {} } },
    { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: part } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "max_tokens", stop_sequence: null }, usage: { output_tokens: 9 } },
    { type: "message_stop" },
  ];
}

function responseEvents(part: string): readonly object[] {
  const item = { id: "fc", type: "function_call", call_id: "t", name: "pay", arguments: "", status: "in_progress" };
  const response = { id: "r", object: "response", model: "m", output: [], status: "in_progress", error: null };
  const done = { ...item, arguments: part, status: "incomplete" };
  const incomplete_details = { reason: "max_output_tokens" };
  return [
    { type: "response.created", sequence_number: 0, response },
    { type: "response.output_item.added", sequence_number: 1, output_index: 0, item },
    { type: "response.function_call_arguments.delta", sequence_number: 2, output_index: 0, item_id: "fc", delta: part },
    { type: "response.output_item.done", sequence_number: 3, output_index: 0, item: done },
    {
      type: "response.incomplete",
      sequence_number: 4,
      response: { ...response, status: "incomplete", incomplete_details, output: [done] },
    },
  ];
}

function chatChunks(part: string): readonly object[] {
  const chunk = (delta: object, finish_reason: string | null) => ({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const call = { index: 0, id: "t", type: "function", function: { name: "pay", arguments: part } };
  return [chunk({ role: "assistant", tool_calls: [call] }, null), chunk({}, "length")];
}

const PROMPT = [{ role: "user", content: "Pay." }] as const;

/** Each reads one streamed answer with the vendor's SDK. */
const readers: Readonly<
  Record<string, readonly [(part: string) => readonly object[], (url: string) => Promise<ToolCall[]>]>
> = {
  "Anthropic's": [
    anthropicEvents,
    async (baseURL) => {
      const client = new Anthropic({ apiKey: "none", baseURL });
      const stream = client.messages.stream({ model: "m", max_tokens: 9, messages: [...PROMPT] });
      return fromAnthropicMessage(await stream.finalMessage());
    },
  ],
  "OpenAI's, for responses": [
    responseEvents,
    async (baseURL) => {
      const client = new OpenAI({ apiKey: "none", baseURL });
      return fromOpenAiResponse(await client.responses.stream({ model: "m", input: "Pay." }).finalResponse());
    },
  ],
  "OpenAI's, for chats": [
    chatChunks,
    async (baseURL) => {
      const client = new OpenAI({ apiKey: "none", baseURL });
      let snapshot: unknown;
      const stream = client.chat.completions.stream({ model: "m", messages: [...PROMPT] });
      stream.on("chunk", (_chunk, whole) => (snapshot = whole));
      // The SDK does not give out the completion of a cut-off answer: a loop reads what came until then.
      await stream.done().catch(() => undefined);
      return fromOpenAiChatCompletion(snapshot);
    },
  ],
};

it.each(Object.entries(readers))(
  "a streamed answer that %s SDK puts together is not executed when cut",
  async (_sdk, reader) => {
    const [events, read] = reader;
    const { registry, paid } = payments();
    await using server = await startScriptedServer(PARTS.map(events));
    for (const _part of PARTS) {
      const calls = await read(server.url);
      expect(await registry.dispatchAll(calls)).toMatchObject([{ code: "cut_off" }]);
    }
    expect(paid).toEqual([]);
  },
);

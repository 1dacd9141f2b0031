import Anthropic from "@anthropic-ai/sdk";
import { fromAnthropicMessage } from "@dispatch/providers/anthropic";
import { collectGeminiStream, fromGeminiResponse } from "@dispatch/providers/gemini";
import { fromOpenAiChatCompletion, fromOpenAiResponse } from "@dispatch/providers/openai";
import { createToolRegistry, defineTool, type ToolCall } from "@dispatch/tools-interface";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { startScriptedServer } from "./scripted-server.ts";

/** Cut points for each provider and way. */
const POINTS = 200;

/** Numbers below `limit`, the same for the same seed (mulberry32). */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** A value as arguments hold them: texts with all that JSON escapes, numbers, lists and objects. */
function makeValue(next: (limit: number) => number, depth: number): unknown {
  const kind = next(depth > 0 ? 6 : 4);
  if (kind === 0) return next(100_000) / 8;
  if (kind === 1) return next(2) === 0;
  if (kind < 4) return ["a", 'quoted "text"', "back\\slash", "line\nbreak", "é 東京 🙂", ""][next(6)];
  if (kind === 4) return Array.from({ length: next(4) }, () => makeValue(next, depth - 1));
  return Object.fromEntries(Array.from({ length: next(4) }, (_, at) => [`key ${at}`, makeValue(next, depth - 1)]));
}

/** The beginnings of calls, another each, from nothing to all of the text: that a text is whole does not say so. */
function cutTexts(seed: number): readonly string[] {
  const next = randomNumbers(seed);
  return Array.from({ length: POINTS }, () => {
    const lines = Array.from({ length: 1 + next(3) }, () => makeValue(next, 3));
    const text = JSON.stringify({ to: "a", lines, amount: next(1_000), dry_run: true });
    return text.slice(0, next(text.length + 1));
  });
}

/** The largest part of a text that is JSON once its brackets are closed, as servers and SDKs make of it. */
function closed(part: string): object {
  for (let length = part.length; length > 0; length -= 1) {
    const open: string[] = [];
    let isText = false;
    for (let at = 0; at < length; at += 1) {
      const one = part[at] ?? "";
      if (isText && one === "\\") at += 1;
      else if (one === '"') isText = !isText;
      else if (!isText && (one === "{" || one === "[")) open.push(one === "{" ? "}" : "]");
      else if (!isText && (one === "}" || one === "]")) open.pop();
    }
    try {
      return JSON.parse(part.slice(0, length) + (isText ? '"' : "") + open.toReversed().join("")) as object;
    } catch {
      // Shorter.
    }
  }
  return {};
}

/** A tool that accepts anything. */
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

function geminiChunks(part: string): readonly object[] {
  const chunk = (parts: readonly object[], finishReason?: string) => ({
    candidates: [{ index: 0, content: { role: "model", parts }, ...(finishReason && { finishReason }) }],
  });
  const call = { functionCall: { id: "t", name: "pay", args: closed(part) } };
  return [chunk([{ text: "I pay." }]), chunk([call]), chunk([{ text: "" }], "MAX_TOKENS")];
}

/** The same answers in one piece. */
const plain: Readonly<Record<"anthropic" | "responses" | "chat" | "gemini", (part: string) => object>> = {
  anthropic: (part) => ({
    ...{ id: "m", type: "message", role: "assistant", model: "m", usage: { input_tokens: 1, output_tokens: 1 } },
    content: [{ type: "tool_use", id: "t", name: "pay", input: closed(part) }],
    stop_reason: "max_tokens",
  }),
  responses: (part) => ({
    ...{ id: "r", object: "response", model: "m", error: null, status: "incomplete" },
    incomplete_details: { reason: "max_output_tokens" },
    output: [{ type: "function_call", id: "fc", call_id: "t", name: "pay", arguments: part }],
  }),
  chat: (part) => {
    const message = {
      role: "assistant",
      tool_calls: [{ id: "t", type: "function", function: { name: "pay", arguments: part } }],
    };
    return {
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, message, finish_reason: "length" }],
    };
  },
  gemini: (part) => {
    const content = { role: "model", parts: [{ functionCall: { id: "t", name: "pay", args: closed(part) } }] };
    return { candidates: [{ index: 0, content, finishReason: "MAX_TOKENS" }] };
  },
};

const PROMPT = [{ role: "user", content: "Pay." }] as const;
const anthropic = (baseURL: string) => new Anthropic({ apiKey: "none", baseURL }).messages;
const openAi = (baseURL: string) => new OpenAI({ apiKey: "none", baseURL });
const gemini = (baseUrl: string) => new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl } }).models;

type Reader = readonly [answer: (part: string) => object, read: (url: string) => Promise<ToolCall[]>];

/** Each reads one answer with the vendor's SDK. */
const readers: Readonly<Record<string, Reader>> = {
  "Anthropic's, streamed": [
    anthropicEvents,
    async (url) => {
      const stream = anthropic(url).stream({ model: "m", max_tokens: 9, messages: [...PROMPT] });
      return fromAnthropicMessage(await stream.finalMessage());
    },
  ],
  "Anthropic's, plain": [
    plain.anthropic,
    async (url) =>
      fromAnthropicMessage(await anthropic(url).create({ model: "m", max_tokens: 9, messages: [...PROMPT] })),
  ],
  "OpenAI's, for responses, streamed": [
    responseEvents,
    async (url) =>
      fromOpenAiResponse(await openAi(url).responses.stream({ model: "m", input: "Pay." }).finalResponse()),
  ],
  "OpenAI's, for responses, plain": [
    plain.responses,
    async (url) => fromOpenAiResponse(await openAi(url).responses.create({ model: "m", input: "Pay." })),
  ],
  "OpenAI's, for chats, streamed": [
    chatChunks,
    async (url) => {
      let snapshot: unknown;
      const stream = openAi(url).chat.completions.stream({ model: "m", messages: [...PROMPT] });
      stream.on("chunk", (_chunk, whole) => (snapshot = whole));
      // The SDK does not return the completion of a cut-off answer: a loop reads the events received until then.
      await stream.done().catch(() => undefined);
      return fromOpenAiChatCompletion(snapshot);
    },
  ],
  "OpenAI's, for chats, plain": [
    plain.chat,
    async (url) => {
      const request = { model: "m", messages: [...PROMPT] };
      return fromOpenAiChatCompletion(await openAi(url).chat.completions.create(request));
    },
  ],
  "Google's, streamed": [
    geminiChunks,
    async (url) => {
      const chunks = await gemini(url).generateContentStream({ model: "m", contents: "Pay." });
      return fromGeminiResponse(await collectGeminiStream(chunks));
    },
  ],
  "Google's, streamed and read chunk by chunk": [
    geminiChunks,
    async (url) => {
      const chunks = await Array.fromAsync(await gemini(url).generateContentStream({ model: "m", contents: "Pay." }));
      return chunks.flatMap((chunk) => fromGeminiResponse(chunk));
    },
  ],
  "Google's, plain": [
    plain.gemini,
    async (url) => fromGeminiResponse(await gemini(url).generateContent({ model: "m", contents: "Pay." })),
  ],
};

let executed = 0;
let tried = 0;
afterAll(() => console.log(`METRIC truncated.executed ${executed} calls\nMETRIC truncated.of ${tried} calls`));

it.each(Object.entries(readers))("an answer of %s SDK is not executed when it was cut", async (_sdk, reader) => {
  const [answer, read] = reader;
  const seed = Date.now() | 0;
  const parts = cutTexts(seed);
  const { registry, paid } = payments();
  await using server = await startScriptedServer(parts.map(answer));
  for (const part of parts) {
    const calls = await read(server.url);
    tried += 1;
    expect(await registry.dispatchAll(calls), `seed ${seed}: ${part}`).toMatchObject([{ code: "cut_off" }]);
  }
  executed += paid.length;
  expect(paid).toEqual([]);
});

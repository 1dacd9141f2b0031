import Anthropic from "@anthropic-ai/sdk";
import { anthropicTurns, toAnthropicTools } from "@dispatch/providers/anthropic";
import { geminiTurns, toGeminiTools } from "@dispatch/providers/gemini";
import { openAiChatTurns, openAiTurns, toOpenAiChatTools, toOpenAiTools } from "@dispatch/providers/openai";
import { createTranscript, runTools, type ModelTurns } from "@dispatch/tools-interface";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { expect, it } from "vitest";
import { startScriptedServer } from "./scripted-server.ts";
import { createToolbox, recorded } from "./toolbox.ts";

const registry = createToolbox();
const GO = "What is the weather?";

interface Provider {
  /** An answer as the API gives it: a call of `weather_get`, complete or cut off, or the end. */
  readonly answer: (turn: number, call: boolean, isCut: boolean) => object;
  /** The loop's options and the conversation. */
  readonly connect: (
    url: string,
  ) => ModelTurns & { readonly ask: (signal: AbortSignal) => Promise<unknown>; readonly conversation: unknown[] };
}

const model = "m";
const input = { city: "Oslo" };
const text = JSON.stringify(input);

const providers: Readonly<Record<string, Provider>> = {
  anthropic: {
    answer: (turn, call, isCut) => ({
      ...{ id: `m${turn}`, type: "message", role: "assistant", model, usage: { input_tokens: 7, output_tokens: 3 } },
      content: call
        ? [{ type: "tool_use", id: `t${turn}`, name: "weather_get", input }]
        : [{ type: "text", text: "ok" }],
      stop_reason: isCut ? "max_tokens" : call ? "tool_use" : "end_turn",
    }),
    connect(baseURL) {
      const client = new Anthropic({ apiKey: "none", baseURL });
      const wire = toAnthropicTools(registry);
      const messages: Anthropic.MessageParam[] = [{ role: "user", content: GO }];
      return {
        ...anthropicTurns(messages, wire),
        ask: (signal) => client.messages.create({ model, max_tokens: 9, messages, tools: wire.tools }, { signal }),
        conversation: messages,
      };
    },
  },
  responses: {
    answer: (turn, call, isCut) => ({
      ...{ id: `r${turn}`, object: "response", model, usage: { total_tokens: 10 } },
      output: [
        call
          ? { type: "function_call", id: `f${turn}`, call_id: `t${turn}`, name: "weather_get", arguments: text }
          : { type: "message", role: "assistant", content: [{ type: "output_text", text: "ok", annotations: [] }] },
      ],
      status: isCut ? "incomplete" : "completed",
      incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    }),
    connect(baseURL) {
      const client = new OpenAI({ apiKey: "none", baseURL });
      const wire = toOpenAiTools(registry);
      const items: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: GO }];
      return {
        ...openAiTurns(items, wire),
        ask: (signal) => client.responses.create({ model, input: items, tools: wire.tools }, { signal }),
        conversation: items,
      };
    },
  },
  chat: {
    answer(turn, call, isCut) {
      const tool_calls = [{ id: `t${turn}`, type: "function", function: { name: "weather_get", arguments: text } }];
      const message = call ? { role: "assistant", content: null, tool_calls } : { role: "assistant", content: "ok" };
      const finish_reason = isCut ? "length" : call ? "tool_calls" : "stop";
      const choices = [{ index: 0, message, finish_reason }];
      return { id: `c${turn}`, object: "chat.completion", created: 1, model, choices, usage: { total_tokens: 10 } };
    },
    connect(baseURL) {
      const client = new OpenAI({ apiKey: "none", baseURL });
      const wire = toOpenAiChatTools(registry);
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: GO }];
      return {
        ...openAiChatTurns(messages, wire),
        ask: (signal) => client.chat.completions.create({ model, messages, tools: wire.tools }, { signal }),
        conversation: messages,
      };
    },
  },
  gemini: {
    answer(turn, call, isCut) {
      const functionCall = { id: `t${turn}`, name: "weather_get", args: input };
      const content = { role: "model", parts: [call ? { functionCall } : { text: "ok" }] };
      const candidates = [{ content, finishReason: isCut ? "MAX_TOKENS" : "STOP", index: 0 }];
      return { responseId: `r${turn}`, candidates, usageMetadata: { totalTokenCount: 10 } };
    },
    connect(baseUrl) {
      const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl } });
      const wire = toGeminiTools(registry);
      const contents = [{ role: "user", parts: [{ text: GO }] }];
      return {
        ...geminiTurns(contents, wire),
        ask: (abortSignal) =>
          client.models.generateContent({ model, contents, config: { tools: wire.tools, abortSignal } }),
        conversation: contents,
      };
    },
  },
};

it.each(Object.entries(providers))("runTools() runs a conversation of %s", async (_name, { answer, connect }) => {
  await using server = await startScriptedServer([
    answer(1, true, false),
    answer(2, true, true),
    answer(3, false, false),
  ]);
  const transcript = createTranscript();
  const { conversation, ...loop } = connect(server.url);
  const run = await runTools(registry, { ...loop, transcript, maxCutOffs: 1 });
  expect(run).toMatchObject({ end: "done", turns: 3, tokens: 30 });
  expect(recorded(transcript).map(([, , outcome]) => outcome)).toEqual(["ok", "cut_off"]);
  expect(JSON.stringify(server.requests[1]?.body)).toContain("Oslo: 15 °C");
  expect(JSON.stringify(server.requests[2]?.body)).toContain("may be incomplete and was not executed");
  // The question, two answers with the results of their calls, and the last answer.
  expect(conversation).toHaveLength(6);
});

it.each(Object.entries(providers))(
  "runTools() ends a conversation of %s that is cut off or cancelled",
  async (_name, provider) => {
    await using server = await startScriptedServer([provider.answer(1, true, true)]);
    const { conversation, ...loop } = provider.connect(server.url);
    expect(await runTools(registry, loop)).toMatchObject({
      end: "cut_off",
      turns: 1,
      reason: expect.stringMatching(/^max_|^length$/i),
    });
    expect(conversation).toHaveLength(3);
    const cancelled = new AbortController();
    // Once the request is made: the server has no answer to it but an error.
    const ask = (signal: AbortSignal): Promise<unknown> => {
      const asked = loop.ask(signal);
      cancelled.abort();
      return asked;
    };
    expect(await runTools(registry, { ...loop, ask, signal: cancelled.signal })).toMatchObject({ end: "cancelled" });
  },
);

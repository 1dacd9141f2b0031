import Anthropic from "@anthropic-ai/sdk";
import { createDurable, createMemoryEngine } from "@dispatch/durable";
import { anthropicTurns, toAnthropicRunner, toAnthropicTools } from "@dispatch/providers/anthropic";
import { geminiTurns, toGeminiTools } from "@dispatch/providers/gemini";
import { toMastraSettings } from "@dispatch/providers/mastra";
import { openAiChatTurns, openAiTurns, toOpenAiChatTools, toOpenAiTools } from "@dispatch/providers/openai";
import {
  createToolRegistry,
  createTranscript,
  defineTool,
  runTools,
  type DispatchOptions,
} from "@dispatch/tools-interface";
import { GoogleGenAI } from "@google/genai";
import { Agent } from "@mastra/core/agent";
import { MockLanguageModelV4 } from "ai/test";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { z } from "zod";
import { message, streamed, use } from "./anthropic-answers.ts";
import { startScriptedServer } from "./scripted-server.ts";

/** Adds up the effects of one conversation, which its process may repeat after a crash. */
function counter() {
  const effects: string[] = [];
  const add = defineTool({
    name: "add.up",
    description: "Adds.",
    parameters: z.object({ by: z.number() }),
    execute: ({ by }, { effectId }) => (effects.push(String(effectId)), `${by} added`),
  });
  const registry = createToolRegistry().register(add);
  const durable = createDurable(createMemoryEngine()).session("s");
  return { registry, effects, options: { durable, transcript: createTranscript() } satisfies DispatchOptions };
}

type Counter = ReturnType<typeof counter>;
/** A conversation of an SDK with a server that answers with one call in each of two answers, both with this id. */
type Conversation = (counter: Counter, id: string, url: string) => Promise<unknown>;
/** The answers of its server: `at` tells them apart. */
type Answers = (id: string) => readonly (object | readonly object[])[];

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const twice = (one: (at: string) => object, end: object) => [one("a1b2"), one("c3d4"), end];

const anthropic: Answers = (id) =>
  twice((at) => ({ ...message(use(id, "add_up", { by: 1 })), id: `msg_${at}` }), message());
const chat =
  (more: object): Answers =>
  (id) => {
    const answer = (at: string, reply: object, finish_reason: string) => ({
      id: `chatcmpl-${at}`,
      object: "chat.completion",
      model: "m",
      choices: [{ index: 0, finish_reason, message: { role: "assistant", content: null, ...reply } }],
      usage,
      ...more,
    });
    const call = { id, type: "function", function: { name: "add_up", arguments: '{"by":1}' } };
    return twice((at) => answer(at, { tool_calls: [call] }, "tool_calls"), answer("end", { content: "done" }, "stop"));
  };
const responses: Answers = (id) => {
  const answer = (at: string, output: readonly object[]) => ({
    id: `resp_${at}`,
    object: "response",
    status: "completed",
    output,
  });
  const call = {
    type: "function_call",
    id: "fc_1",
    call_id: id,
    name: "add_up",
    arguments: '{"by":1}',
    status: "completed",
  };
  return twice((at) => answer(at, [call]), answer("end", []));
};
const gemini: Answers = (id) => {
  const answer = (at: string, part: object) => ({
    responseId: at,
    candidates: [{ finishReason: "STOP", content: { role: "model", parts: [part] } }],
  });
  return twice(
    (at) => answer(at, { functionCall: { id, name: "add_up", args: { by: 1 } } }),
    answer("end", { text: "done" }),
  );
};

const openAi = (url: string) => new OpenAI({ apiKey: "none", baseURL: url, maxRetries: 0 });
const messagesOf = (url: string) => new Anthropic({ apiKey: "none", baseURL: url, maxRetries: 0 });
const model = "claude-opus-4-6";
const runner =
  (stream: boolean): Conversation =>
  async ({ registry, options }, _id, url) => {
    const { tools, answerCalls } = toAnthropicRunner(registry, options);
    const request = {
      model,
      max_tokens: 9,
      messages: [{ role: "user", content: "go" }],
      tools,
      stream,
      thread: false,
    } as const;
    const running = messagesOf(url).beta.messages.toolRunner(request as never);
    for await (const answer of running) if (await answerCalls(running as never, answer as object)) break;
  };

const conversations: readonly (readonly [string, Answers, Conversation])[] = [
  [
    "Anthropic",
    anthropic,
    async ({ registry, options }, _id, url) => {
      const messages: unknown[] = [{ role: "user", content: "go" }];
      const wire = toAnthropicTools(registry);
      const request = { model, max_tokens: 9, messages, tools: wire.tools } as never;
      await runTools(registry, {
        ...options,
        ...anthropicTurns(messages, wire),
        ask: () => messagesOf(url).messages.create(request),
      });
    },
  ],
  ["Anthropic's runner", anthropic, runner(false)],
  ["Anthropic's runner, streamed", (id) => anthropic(id).map((one) => streamed(one)), runner(true)],
  ...[{ created: 1 }, {}].map((more) => {
    const talk: Conversation = async ({ registry, options }, _id, url) => {
      const messages: unknown[] = [{ role: "user", content: "go" }];
      const wire = toOpenAiChatTools(registry);
      const request = { model: "m", messages, tools: wire.tools } as never;
      await runTools(registry, {
        ...options,
        ...openAiChatTurns(messages, wire),
        ask: () => openAi(url).chat.completions.create(request),
      });
    };
    return [`Chat Completions ${JSON.stringify(more)}`, chat(more), talk] as const;
  }),
  [
    "Responses",
    responses,
    async ({ registry, options }, _id, url) => {
      const input: unknown[] = [{ role: "user", content: "go" }];
      const wire = toOpenAiTools(registry);
      const request = { model: "m", input, tools: wire.tools } as never;
      await runTools(registry, {
        ...options,
        ...openAiTurns(input, wire),
        ask: () => openAi(url).responses.create(request),
      });
    },
  ],
  [
    "Gemini",
    gemini,
    async ({ registry, options }, _id, url) => {
      const contents: unknown[] = [{ role: "user", parts: [{ text: "go" }] }];
      const wire = toGeminiTools(registry);
      const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: url } });
      const request = { model: "m", contents, config: { tools: wire.tools } } as never;
      await runTools(registry, {
        ...options,
        ...geminiTurns(contents, wire),
        ask: () => client.models.generateContent(request),
      });
    },
  ],
];

test.each(
  conversations.flatMap(([name, answers, talk]) => ["call_0", "add_up"].map((id) => ({ name, id, answers, talk }))),
)("$name runs a call $id of each answer once, durably", async ({ id, answers, talk }) => {
  const counted = counter();
  for (const _process of [1, 2]) {
    await using server = await startScriptedServer(answers(id));
    await talk(counted, id, server.url);
  }
  expect(counted.effects).toHaveLength(2);
  expect(new Set(counted.effects).size).toBe(2);
});

test("tools for Anthropic's runner alone refuse a numbered id, durably, and drop no call", async () => {
  const { registry, effects, options } = counter();
  await using server = await startScriptedServer(anthropic("call_0"));
  const tools = toAnthropicRunner(registry, options).tools;
  const request = { model, max_tokens: 9, messages: [{ role: "user", content: "go" }], tools, thread: false } as never;
  await messagesOf(server.url).beta.messages.toolRunner(request).runUntilDone();
  expect(effects).toEqual([]);
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("fault of the host");
});

test("Mastra, which takes calls with one id for one call, refuses a numbered id, durably, and runs others once", async () => {
  const generated = (calls: readonly string[]) => ({
    content: calls.map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "add_up", input: '{"by":1}' })),
    finishReason: { unified: calls.length > 0 ? "tool-calls" : "stop", raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
    warnings: [],
  });
  const run = async (ids: readonly string[]) => {
    const { registry, effects, options } = counter();
    const { tools } = toMastraSettings(registry, options);
    for (const _process of [1, 2]) {
      const doGenerate = [...ids.map((id) => generated([id])), generated([])];
      const mock = new MockLanguageModelV4({ doGenerate: doGenerate as never });
      const agent = new Agent({ id: "agent", name: "Agent", instructions: "Go.", model: mock as never, tools });
      await agent.generate("Go.", { maxSteps: 5 });
    }
    return { effects, codes: options.transcript.entries.map(({ result }) => (result.success ? "ok" : result.code)) };
  };
  expect((await run(["call_0", "call_0"])).effects).toEqual([]);
  expect((await run(["k3J9x0aQz", "m2P8y1bRw"])).effects).toHaveLength(2);
});

import Anthropic from "@anthropic-ai/sdk";
import { toAiSdkSettings } from "@dispatch/providers/ai-sdk";
import { anthropicTurns, toAnthropicRunner, toAnthropicTools } from "@dispatch/providers/anthropic";
import { geminiTurns, toGeminiTools } from "@dispatch/providers/gemini";
import { openAiChatTurns, openAiTurns } from "@dispatch/providers/openai";
import { toOpenAiChatTools, toOpenAiTools } from "@dispatch/providers/openai";
import { toOpenAiAgentsSettings } from "@dispatch/providers/openai-agents";
import { createToolRegistry, createTranscript, defineTool, loadedTools, runTools } from "@dispatch/tools-interface";
import { GoogleGenAI, type Content } from "@google/genai";
import { Agent, Runner, tool } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { message, use } from "./anthropic-answers.ts";
import { startScriptedServer } from "./scripted-server.ts";

const sample = (name: string, description: string) =>
  defineTool({
    name,
    description,
    parameters: z.object({ city: z.string().optional() }),
    annotations: { readOnly: true },
    execute: ({ city }) => `${name} of ${city ?? "all"}`,
  });
const create = () =>
  createToolRegistry()
    .register(sample("always", "Is always there."))
    .register(
      [sample("weather.forecast", "Temperature and rain."), sample("hotels.book", "Books a room."), sample("x", "Y.")],
      { defer: true },
    );
const QUERY = { query: "rain or a room", limit: 2 };
const AT_REST = ["search_tools", "always"];
const FOUND = ["weather_forecast", "hotels_book"];
const OSLO = { city: "Oslo" };
const names = (tools: readonly object[]) => tools.map((one) => (one as { name?: string }).name);
const CACHED = { cacheControl: { type: "ephemeral" } } as const;

describe("deferred tools by Anthropic's SDK", () => {
  const script = [
    message(use("toolu_1", "search_tools", QUERY)),
    message(use("toolu_2", "weather_forecast", OSLO)),
    message(),
  ];
  const references = {
    type: "tool_result",
    tool_use_id: "toolu_1",
    content: FOUND.map((tool_name) => ({ type: "tool_reference", tool_name })),
  };

  it("are marked from the beginning, and found by reference", async () => {
    await using server = await startScriptedServer(script);
    const client = new Anthropic({ apiKey: "none", baseURL: server.url });
    const [registry, transcript] = [create(), createTranscript()];
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "go" }];
    const wire = toAnthropicTools(registry, CACHED);
    const ask = () => client.messages.create({ model: "m", max_tokens: 9, messages, tools: wire.tools });
    await runTools(registry, { ...anthropicTurns(messages, wire), ask, transcript });
    for (const { body } of server.requests) expect(body["tools"]).toEqual(wire.tools);
    const marked = wire.tools.map(({ name, defer_loading, cache_control }) => [
      name,
      defer_loading,
      cache_control?.type,
    ]);
    expect(marked).toEqual([
      ["search_tools", undefined, undefined],
      ["always", undefined, "ephemeral"],
      ["weather_forecast", true, undefined],
      ["hotels_book", true, undefined],
      ["x", true, undefined],
    ]);
    expect(server.listIn(1, "messages")[2]).toEqual({ role: "user", content: [references] });
    expect(server.listIn(2, "messages")[4]).toMatchObject({ content: [{ content: "weather.forecast of Oslo" }] });
    expect(loadedTools(registry, transcript.entries)).toEqual(["weather.forecast", "hotels.book"]);
  });

  it("are found in the tool runner", async () => {
    await using server = await startScriptedServer(script);
    const { messages } = new Anthropic({ apiKey: "none", baseURL: server.url }).beta;
    const request = { model: "m", max_tokens: 9, thread: false, messages: [{ role: "user", content: "go" }] } as const;
    await messages.toolRunner({
      ...request,
      messages: [...request.messages],
      tools: toAnthropicRunner(create()).tools,
    });
    expect(server.listIn(1, "messages").at(-1)).toMatchObject({ content: [references] });
    expect(server.listIn(2, "messages").at(-1)).toMatchObject({ content: [{ content: "weather.forecast of Oslo" }] });
  });

  it("say who may call them where the API runs programs", () => {
    const registry = create().register(sample("rows", "Many rows."), { callers: ["program"] });
    const { tools } = toAnthropicTools(registry, { programs: "code_execution_20260521" });
    expect(tools.map(({ name, allowed_callers }) => [name, allowed_callers])).toEqual([
      ["search_tools", undefined],
      ...["always", ...FOUND, "x"].map((name) => [name, ["direct", "code_execution_20260521"]]),
      ["rows", ["code_execution_20260521"]],
    ]);
    expect(names(toAnthropicTools(registry).tools)).not.toContain("rows");
  });
});

describe("deferred tools by OpenAI's SDK", () => {
  const answered = (...output: readonly object[]) => ({ id: "r", object: "response", status: "completed", output });
  const called = (id: string, name: string, params: object) => ({
    type: "function_call",
    ...{ id: `fc_${id}`, call_id: id, name, arguments: JSON.stringify(params), status: "completed" },
  });

  it("are found with the API's own search in Responses", async () => {
    const search = { type: "tool_search_call", execution: "client", id: "ts_1", call_id: "1", arguments: QUERY };
    await using server = await startScriptedServer([
      answered({ ...search, status: "completed" }),
      answered(called("2", "weather_forecast", OSLO)),
      answered(),
    ]);
    const { responses } = new OpenAI({ apiKey: "none", baseURL: server.url });
    const [registry, input] = [create(), [{ role: "user", content: "go" }] as OpenAI.Responses.ResponseInput];
    const wire = toOpenAiTools(registry, { strict: true });
    const ask = () => responses.create({ model: "m", input, tools: wire.tools });
    await runTools(registry, { ...openAiTurns(input, wire), ask });
    for (const { body } of server.requests) expect(body["tools"]).toEqual(wire.tools);
    expect(wire.tools).toMatchObject([{ type: "tool_search", execution: "client" }, { name: "always" }]);
    const output = server.listIn(1, "input").at(-1) as { tools: readonly object[] };
    expect(output).toMatchObject({
      type: "tool_search_output",
      call_id: "1",
      execution: "client",
      status: "completed",
    });
    expect(output.tools).toMatchObject(
      FOUND.map((name) => ({ type: "function", name, strict: true, defer_loading: true })),
    );
    expect(server.listIn(2, "input").at(-1)).toMatchObject({ call_id: "2", output: "weather.forecast of Oslo" });
  });

  it("are appended in Responses without it", async () => {
    await using server = await startScriptedServer([
      answered(called("1", "search_tools", QUERY)),
      answered(called("2", "weather_forecast", OSLO)),
      answered(),
    ]);
    const { responses } = new OpenAI({ apiKey: "none", baseURL: server.url });
    const [registry, input] = [create(), [{ role: "user", content: "go" }] as OpenAI.Responses.ResponseInput];
    const wire = toOpenAiTools(registry, { nativeSearch: false });
    const ask = () => responses.create({ model: "m", input, tools: wire.tools });
    await runTools(registry, { ...openAiTurns(input, wire), ask });
    expect([0, 1].map((at) => names(server.listIn(at, "tools")))).toEqual([AT_REST, [...AT_REST, ...FOUND]]);
    expect(server.listIn(2, "input").at(-1)).toMatchObject({ output: "weather.forecast of Oslo" });
  });

  it("are appended in Chat Completions", async () => {
    const completion = (...tool_calls: readonly object[]) => ({
      ...{ id: "c", object: "chat.completion", created: 1, model: "m" },
      choices: [
        {
          ...{ index: 0, finish_reason: tool_calls.length > 0 ? "tool_calls" : "stop" },
          message: { role: "assistant", content: null, ...(tool_calls.length > 0 && { tool_calls }) },
        },
      ],
    });
    const call = (id: string, name: string, params: object) => ({
      ...{ id, type: "function", function: { name, arguments: JSON.stringify(params) } },
    });
    await using server = await startScriptedServer([
      completion(call("1", "search_tools", QUERY)),
      completion(call("2", "weather_forecast", OSLO)),
      completion(),
    ]);
    const { chat } = new OpenAI({ apiKey: "none", baseURL: server.url });
    const registry = create();
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: "user", content: "go" }];
    const wire = toOpenAiChatTools(registry);
    const ask = () => chat.completions.create({ model: "m", messages, tools: wire.tools });
    await runTools(registry, { ...openAiChatTurns(messages, wire), ask });
    const sent = [0, 1].map((at) =>
      names(server.listIn(at, "tools").map((one) => (one as { function: object }).function)),
    );
    expect(sent).toEqual([AT_REST, [...AT_REST, ...FOUND]]);
    expect(server.listIn(2, "messages").at(-1)).toMatchObject({ content: "weather.forecast of Oslo" });
  });
});

it("deferred tools are appended by Google's SDK", async () => {
  const response = (...parts: readonly object[]) => ({
    candidates: [
      { content: { role: "model", parts: parts.length > 0 ? parts : [{ text: "ok" }] }, finishReason: "STOP" },
    ],
  });
  const call = (name: string, args: object) => ({ functionCall: { name, args } });
  await using server = await startScriptedServer([
    response(call("search_tools", QUERY)),
    response(call("weather_forecast", OSLO)),
    response(),
  ]);
  const { models } = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: server.url } });
  const registry = create();
  const contents: Content[] = [{ role: "user", parts: [{ text: "go" }] }];
  const wire = toGeminiTools(registry);
  const ask = () => models.generateContent({ model: "m", contents, config: { tools: wire.tools } });
  await runTools(registry, { ...geminiTurns(contents, wire), ask });
  const sent = [0, 1].map((at) => {
    const [one] = server.listIn(at, "tools") as readonly { functionDeclarations: readonly object[] }[];
    return names(one?.functionDeclarations ?? []);
  });
  expect(sent).toEqual([AT_REST, [...AT_REST, ...FOUND]]);
});

it("deferred tools are appended in the loop of the AI SDK", async () => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const turn = (toolName?: string, params: object = {}) => ({
    content: toolName
      ? [{ type: "tool-call" as const, toolCallId: toolName, toolName, input: JSON.stringify(params) }]
      : [{ type: "text" as const, text: "done" }],
    finishReason: { unified: toolName ? ("tool-calls" as const) : ("stop" as const), raw: undefined },
    ...{ usage, warnings: [] },
  });
  const model = new MockLanguageModelV4({
    doGenerate: [turn("search_tools", QUERY), turn("weather_forecast", OSLO), turn()],
  });
  const [registry, transcript] = [create(), createTranscript()];
  const settings = toAiSdkSettings(registry, { transcript });
  const { steps } = await generateText({ model, prompt: "go", ...settings, stopWhen: isStepCount(5) });
  const sent = model.doGenerateCalls.map(({ tools = [] }) => names(tools));
  expect(sent).toEqual([AT_REST, [...AT_REST, ...FOUND], [...AT_REST, ...FOUND]]);
  expect(steps[1]?.toolResults[0]?.output).toMatchObject({ content: [{ text: "weather.forecast of Oslo" }] });
  const restored = toAiSdkSettings(create(), { loaded: loadedTools(registry, transcript.entries) });
  expect(Object.keys(restored.tools)).toEqual(sent[1]);
});

it("deferred tools are appended to an agent of the Agents SDK", async () => {
  const model = new ScriptedModel([
    [functionCall("search_tools", QUERY, { callId: "1" })],
    [functionCall("weather_forecast", OSLO, { callId: "2" })],
    [assistantMessage("done")],
  ]);
  const agent = new Agent({ name: "a", model, ...toOpenAiAgentsSettings(tool, create()) });
  const { finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, "go");
  expect(finalOutput).toBe("done");
  const sent = model.calls.map(({ request }) => names(request.tools));
  expect(sent).toEqual([AT_REST, [...AT_REST, ...FOUND], [...AT_REST, ...FOUND]]);
});

import { toMastraSettings, type MastraOptions } from "@dispatch/providers/mastra";
import { createToolRegistry, createTranscript, defineTool, success } from "@dispatch/tools-interface";
import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { RequestContext } from "@mastra/core/request-context";
import { InMemoryStore } from "@mastra/core/storage";
import { simulateReadableStream } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { expect, test } from "vitest";
import { z } from "zod";
import { createToolbox, recorded, REFUSED } from "./toolbox.ts";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
type Finish = "stop" | "tool-calls" | "length";
type Call = readonly [id: string, name: string, input: string];
type Answer = { readonly calls: readonly Call[]; readonly finish: Finish };

const calls = (...made: readonly Call[]): Answer => ({ calls: made, finish: "tool-calls" });
const done: Answer = { calls: [], finish: "stop" };

/** A model that gives these answers, whole or in pieces of five characters. */
function modelOf(answers: readonly Answer[], vendor: { provider?: string; modelId?: string } = {}) {
  const reason = (finish: Finish) => ({ unified: finish, raw: undefined });
  const doGenerate = answers.map(({ calls: made, finish }) => ({
    content: made.map(([toolCallId, toolName, input]) => ({ type: "tool-call", toolCallId, toolName, input })),
    finishReason: reason(finish),
    usage,
    warnings: [],
  }));
  const doStream = answers.map(({ calls: made, finish }) => {
    const parts = made.flatMap(([id, toolName, input]) => [
      { type: "tool-input-start", id, toolName },
      ...(input.match(/[^]{1,5}/g) ?? []).map((delta) => ({ type: "tool-input-delta", id, delta })),
      { type: "tool-input-end", id },
      { type: "tool-call", toolCallId: id, toolName, input },
    ]);
    const chunks = [{ type: "stream-start", warnings: [] }, ...parts];
    const end = { type: "finish", finishReason: reason(finish), usage };
    return { stream: simulateReadableStream({ chunks: [...chunks, end] as never[], chunkDelayInMs: null }) };
  });
  return new MockLanguageModelV4({ ...vendor, doGenerate: doGenerate as never, doStream: doStream as never });
}

const ways = ["generate", "stream"] as const;
type Way = (typeof ways)[number];
type RunOptions = { readonly [name: string]: unknown };

function agentOf(
  model: MockLanguageModelV4,
  registry = createToolbox() as ReturnType<typeof createToolRegistry>,
  options: MastraOptions = {},
) {
  const { tools } = toMastraSettings(registry, options);
  return new Agent({ id: "agent", name: "Agent", instructions: "Go.", model: model as never, tools });
}

async function run(agent: Agent, way: Way, options: RunOptions = {}) {
  if (way === "generate") return agent.generate("Go.", options as never);
  const stream = await agent.stream("Go.", options as never);
  return stream.getFullOutput();
}

/** What the model is sent with a request, as text. */
function told(model: MockLanguageModelV4, way: Way, request: number): string {
  const sent = way === "generate" ? model.doGenerateCalls : model.doStreamCalls;
  return JSON.stringify(sent[request]?.prompt.at(-1)?.content ?? []);
}

test.each(ways)("%s() runs the calls of an answer and shows the model each result", async (way) => {
  const transcript = createTranscript();
  const model = modelOf([
    calls(
      ["1", "weather_get", '{"city":"Oslo"}'],
      ["2", "screenshot", "{}"],
      ["3", "weather_get", '{"town":"Oslo"}'],
      ["4", "weather_get", '{"City":"Bergen"}'],
    ),
    done,
  ]);
  await run(agentOf(model, createToolbox(), { transcript }), way);
  const parts = JSON.parse(told(model, way, 1)) as { toolCallId: string; output: { type: string; value: unknown } }[];
  const outputs = Object.fromEntries(parts.map(({ toolCallId, output }) => [toolCallId, output]));
  expect(outputs["1"]).toEqual({ type: "text", value: "Oslo: 15 °C" });
  expect(outputs["2"]).toMatchObject({ value: [{ text: "the screen" }, { type: "file", mediaType: "image/png" }] });
  expect(outputs["3"]).toMatchObject({ type: "error-text", value: expect.stringMatching(REFUSED) });
  expect(outputs["4"]).toEqual({ type: "text", value: "Bergen: 15 °C" });
  expect(told(model, way, 1)).not.toContain("SECRET");
  expect(recorded(transcript).toSorted()).toEqual([
    ["1", "weather.get", "ok"],
    ["2", "screenshot", "ok"],
    ["3", "weather.get", "invalid_params"],
    ["4", "weather.get", "repaired"],
  ]);
});

test.each([
  { provider: "openai.responses", modelId: "gpt-4o" },
  { provider: "openai.responses", modelId: "o3" },
  { provider: "anthropic.messages", modelId: "claude-sonnet-4" },
  { provider: "google.generative-ai", modelId: "gemini-2.5-pro" },
  { provider: "deepseek.chat", modelId: "deepseek-chat" },
  { provider: "meta", modelId: "llama-4" },
])("the registry judges every call also where Mastra rewrites schemas: $provider $modelId", async (vendor) => {
  const transcript = createTranscript();
  const model = modelOf(
    [
      calls(
        ["1", "weather_get", '{"city":"Oslo","unit":null}'],
        ["2", "weather_get", '{"town":"Oslo"}'],
        ["3", "weather_get", '{"city":"Oslo","unit":"K"}'],
        ["4", "weather_get", '{"city":"Oslo","unit":"F"}'],
      ),
      done,
    ],
    vendor,
  );
  await run(agentOf(model, createToolbox(), { transcript }), "generate");
  expect(told(model, "generate", 1)).toMatch(/15 °F/);
  expect(recorded(transcript)).toEqual([
    ["1", "weather.get", "repaired"],
    ["2", "weather.get", "invalid_params"],
    ["3", "weather.get", "invalid_params"],
    ["4", "weather.get", "ok"],
  ]);
});

/** A tool that needs nothing, as Mastra's own reading of unreadable arguments would fit. */
function cleaner(needsApproval: boolean) {
  const cleaned: unknown[] = [];
  const clean = defineTool({
    name: "clean",
    description: "Removes files.",
    parameters: z.object({ only: z.string().optional().describe("Pattern"), dry: z.boolean().optional() }),
    needsApproval,
    execute: (params) => {
      cleaned.push(params);
      return "cleaned";
    },
  });
  return { registry: createToolRegistry().register(clean), cleaned };
}

test.each(ways)("%s() repairs broken JSON or refuses it, and runs nothing without what was sent", async (way) => {
  const { registry, cleaned } = cleaner(false);
  const transcript = createTranscript();
  const texts = ["{'only': '*.log'}", '{"only":"*.lo', '{"only":"it\'s", dry: true,}', "clean all", '{"only":', "[]"];
  const model = modelOf([calls(...texts.map((text, at): Call => [String(at), "clean", text])), done]);
  await run(agentOf(model, registry, { transcript }), way);
  expect(cleaned).toEqual([{ only: "*.log" }, { only: "it's", dry: true }]);
  expect(recorded(transcript).map(([id, , outcome]) => `${id} ${outcome}`)).toEqual([
    "0 repaired",
    "1 invalid_call",
    "2 repaired",
    "3 invalid_call",
    "4 invalid_call",
    expect.stringMatching(/^5 invalid_/),
  ]);
});

test.each(ways)("%s() runs no broken JSON where a person was shown something else", async (way) => {
  const { registry, cleaned } = cleaner(true);
  const transcript = createTranscript();
  const model = modelOf([calls(["1", "clean", "{'only': '*.log'}"]), done]);
  const agent = agentOf(model, registry, { transcript });
  new Mastra({ storage: new InMemoryStore(), logger: false }).addAgent(agent);
  const { runId } = await run(agent, way);
  await agent.approveToolCallGenerate({ runId: runId as string, toolCallId: "1" });
  expect(cleaned).toEqual([]);
  expect(recorded(transcript)).toEqual([["1", "clean", "denied"]]);
});

test.each(ways)(
  "%s() suspends where the rule asks, and runs an approved call once, after a restart too",
  async (way) => {
    for (const approved of [true, false]) {
      const storage = new InMemoryStore();
      const transcript = createTranscript();
      const start = (answers: readonly Answer[]) => {
        const model = modelOf(answers);
        const agent = agentOf(model, createToolbox(), { transcript });
        new Mastra({ storage, logger: false }).addAgent(agent);
        return { agent, model };
      };
      const before = start([calls(["1", "delete_file", '{"path":"a"}'])]);
      const { finishReason, runId } = await run(before.agent, way);
      expect([finishReason, transcript.entries]).toEqual(["suspended", []]);
      const { agent, model } = start([done]);
      const answer = { runId: runId as string, toolCallId: "1" };
      await (approved ? agent.approveToolCallGenerate(answer) : agent.declineToolCallGenerate(answer));
      const sent = JSON.stringify([model.doGenerateCalls, model.doStreamCalls]);
      expect(sent).toContain(approved ? "a is deleted" : "not approved by the user");
      expect(recorded(transcript)).toEqual(approved ? [["1", "delete_file", "ok"]] : []);
    }
  },
);

test.each(ways)("%s() lets the registry ask with `approve`", async (way) => {
  for (const approved of [true, false]) {
    const transcript = createTranscript();
    const model = modelOf([calls(["1", "delete_file", '{"path":"a"}']), done]);
    await run(agentOf(model, createToolbox(), { transcript, approve: () => approved }), way);
    expect(told(model, way, 1)).toMatch(approved ? /a is deleted/ : /was denied/);
    expect(recorded(transcript)).toEqual([["1", "delete_file", approved ? "ok" : "denied"]]);
  }
});

test.each(ways)("%s() gives a tool the run's context, and `context` over it", async (way) => {
  const locate = defineTool({
    name: "locate",
    description: "Says where it is.",
    parameters: z.object({}),
    context: z.object({ place: z.string() }),
    needsApproval: (_, { place }) => place === "Oslo",
    execute: (_, { context }) => context.place,
  });
  const registry = createToolRegistry().register(locate) as never;
  const requestContext = new RequestContext([["place", "Bergen"]] as never);
  for (const [given, place] of [
    [{}, "Bergen"],
    [{ context: { place: "Tromsø" } }, "Tromsø"],
  ] as const) {
    const model = modelOf([calls(["1", "locate", "{}"]), done]);
    await run(agentOf(model, registry, given), way, { requestContext });
    expect(told(model, way, 1)).toContain(place);
  }
});

test.each(ways)(
  "%s() ends a call in time, cancels it with the run, and ends the run where a tool says so",
  async (way) => {
    const transcript = createTranscript();
    const abort = new AbortController();
    const registry = createToolRegistry().register([
      defineTool({
        name: "hang",
        description: "Hangs.",
        parameters: z.object({}),
        timeoutMs: 30,
        execute: () => new Promise(() => {}),
      }),
      defineTool({
        name: "finish",
        description: "Ends.",
        parameters: z.object({}),
        execute: () => success("over", { metadata: { stopLoop: true } }),
      }),
      defineTool({
        name: "wait",
        description: "Waits.",
        parameters: z.object({}),
        execute: (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(new Error("told to stop")), { once: true });
            abort.abort();
          }),
      }),
    ]);
    const model = modelOf([calls(["1", "hang", "{}"]), calls(["2", "finish", "{}"]), done]);
    const { tools, stopWhen } = toMastraSettings(registry, { transcript });
    await run(new Agent({ id: "a", name: "A", instructions: "Go.", model: model as never, tools }), way, { stopWhen });
    const requests = way === "generate" ? model.doGenerateCalls : model.doStreamCalls;
    expect(requests).toHaveLength(2);
    await run(agentOf(modelOf([calls(["3", "wait", "{}"]), done]), registry, { transcript }), way, {
      abortSignal: abort.signal,
    }).catch(() => {});
    expect(recorded(transcript)).toEqual([
      ["1", "hang", "timeout"],
      ["2", "finish", "ok"],
      ["3", "wait", "cancelled"],
    ]);
  },
);

test.each(ways)(
  "%s() answers an unknown tool by itself, and runs a whole call of an answer that was cut off",
  async (way) => {
    const transcript = createTranscript();
    const model = modelOf([calls(["1", "nope", "{}"]), done]);
    await run(agentOf(model, createToolbox(), { transcript }), way);
    expect(told(model, way, 1)).toContain("not found");
    expect(transcript.entries).toEqual([]);
    const cut = modelOf([{ calls: [["2", "weather_get", '{"city":"Oslo"}']], finish: "length" }]);
    await run(agentOf(cut, createToolbox(), { transcript }), way);
    expect(recorded(transcript)).toEqual([["2", "weather.get", "ok"]]);
  },
);

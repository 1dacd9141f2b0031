import { createDurable, createMemoryEngine } from "@dispatch/durable";
import { type AiSdkOutput, type FailedCallError, stopLoop, toAiSdkSettings } from "@dispatch/providers/ai-sdk";
import { createToolRegistry, createTranscript, defineTool, failure, success } from "@dispatch/tools-interface";
import * as seven from "ai";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import * as six from "ai6";
import { MockLanguageModelV3 } from "ai6/test";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { cancelAtProgress, createToolbox, PIXEL, recorded, REFUSED } from "./toolbox.ts";

const warnings: unknown[] = [];
globalThis.AI_SDK_LOG_WARNINGS = (given: { readonly warnings: readonly unknown[] }) => warnings.push(...given.warnings);

type Generated = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;
type Streamed = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>;
type Chunk = Streamed["stream"] extends ReadableStream<infer One> ? One : never;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A turn of the model: calls, each an id, a name and its arguments as text, or words. */
function turn(...calls: readonly (readonly [string, string, string])[]): Generated {
  const content = calls.map(
    ([toolCallId, toolName, input]) => ({ type: "tool-call", toolCallId, toolName, input }) as const,
  );
  const isLast = calls.length === 0;
  return {
    content: isLast ? [{ type: "text", text: "done" }] : content,
    finishReason: { unified: isLast ? "stop" : "tool-calls", raw: undefined },
    usage,
    warnings: [],
  };
}

function streamed({ content, finishReason }: Generated): Streamed {
  const parts = content.flatMap((part): Chunk[] => {
    if (part.type === "tool-call") return [part];
    return [
      { type: "text-start", id: "1" },
      { type: "text-delta", id: "1", delta: "done" },
      { type: "text-end", id: "1" },
    ];
  });
  const chunks: Chunk[] = [{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", finishReason, usage }];
  return { stream: simulateReadableStream({ chunks }) };
}

/** A model of the interface that a version of the AI SDK asks for. Both ask for the same, in these tests. */
function modelOf(version: 6 | 7, script: readonly Generated[]): MockLanguageModelV4 {
  const options = { doGenerate: [...script], doStream: script.map(streamed) };
  return version === 7 ? new MockLanguageModelV4(options) : (new MockLanguageModelV3(options as never) as never);
}

/** The last message of a prompt: the results of the turn before, by their calls. */
function results(messages: readonly unknown[] = []): Record<string, unknown> {
  const { content } = messages.at(-1) as { content: readonly { toolCallId: string; output: unknown }[] };
  return Object.fromEntries(content.map(({ toolCallId, output }) => [toolCallId, output]));
}

const script = [
  turn(
    ["1", "weather_get", '{"city":"Oslo"}'],
    ["2", "weather_get", '{"town":"Oslo"}'],
    ["3", "screenshot", "{}"],
    ["4", "no_such_tool", "{}"],
    ["5", "weather_get", "{'city': 'Bergen',}"],
    ["6", "weather_get", '{"city":'],
  ),
  turn(["7", "weather_get", '{"city":"Oslo","unit":"F"}']),
  turn(),
];
const entries = [
  ["1", "weather.get", "ok"],
  ["2", "weather.get", "invalid_params"],
  ["3", "screenshot", "ok"],
  ["4", "no_such_tool", "tool_not_found"],
  ["5", "weather.get", "repaired"],
  ["6", "weather.get", "invalid_call"],
  ["7", "weather.get", "ok"],
];

/** The two versions share the parts used here. */
const versions = [
  [7, seven],
  [6, six as unknown as typeof seven],
] as const;

describe.each(versions)("toAiSdkSettings() with AI SDK %d", (version, sdk) => {
  const stopWhen = [sdk.stepCountIs(5), stopLoop];

  it.each(["generated", "streamed"])("runs a conversation of all kinds of calls, %s", async (way) => {
    const transcript = createTranscript();
    const model = modelOf(version, script);
    const request = { model, prompt: "go", stopWhen, ...toAiSdkSettings(createToolbox(), { transcript, version }) };
    const { text } = way === "generated" ? await sdk.generateText(request) : sdk.streamText(request);
    expect(await text).toBe("done");
    const prompts = (way === "generated" ? model.doGenerateCalls : model.doStreamCalls).map(({ prompt }) => prompt);
    const image =
      version === 7 ? { type: "file", data: { type: "data", data: PIXEL } } : { type: "image-data", data: PIXEL };
    expect(results(prompts[1])).toEqual({
      1: { type: "text", value: "Oslo: 15 °C" },
      2: { type: "error-text", value: expect.stringMatching(REFUSED) as unknown },
      3: {
        type: "content",
        value: [{ type: "text", text: "the screen" }, expect.objectContaining({ ...image, mediaType: "image/png" })],
      },
      4: { type: "error-text", value: expect.stringContaining("Call one of these instead") as unknown },
      5: { type: "text", value: "Bergen: 15 °C" },
      6: { type: "error-text", value: expect.stringContaining("are not valid JSON") as unknown },
    });
    expect(results(prompts[2])).toEqual({ 7: { type: "text", value: "Oslo: 15 °F" } });
    expect(JSON.stringify(prompts)).not.toContain("SECRET");
    expect(recorded(transcript).toSorted()).toEqual(entries);
    expect(warnings).toEqual([]);
  });

  it("runs a call of each answer once where their ids are numbers, durably", async () => {
    const effects: string[] = [];
    const add = defineTool({
      name: "add",
      description: "Adds.",
      parameters: z.object({ by: z.number() }),
      needsApproval: ({ by }) => by > 1,
      execute: ({ by }, run) => {
        effects.push(run.effectId ?? "");
        return `${by} added`;
      },
    });
    const registry = createToolRegistry().register(add);
    const durable = createDurable(createMemoryEngine()).session("s");
    const call = (by: number) => turn(["call_0", "add", JSON.stringify({ by })]);
    const run = async (answers: readonly Generated[], messages: seven.ModelMessage[]) => {
      const settings = toAiSdkSettings(registry, { version, durable });
      const ended = await sdk.generateText({ model: modelOf(version, answers), messages, stopWhen, ...settings });
      const last = ended.steps.at(-1)?.content ?? [];
      const asked = last.flatMap((part) => (part.type === "tool-approval-request" ? [part.approvalId] : []));
      const said = (ended.responseMessages ?? ended.response.messages) as seven.ModelMessage[];
      return { asked, messages: [...messages, ...said] };
    };
    const prompt: seven.ModelMessage[] = [{ role: "user", content: "go" }];
    for (const _ of [1, 2]) await run([call(1), call(1), call(1), turn()], prompt);
    expect(new Set(effects).size).toBe(3);
    expect(effects).toHaveLength(3);
    const { asked, messages } = await run([call(1), call(2)], prompt);
    expect(effects).toHaveLength(3);
    const approved = { type: "tool-approval-response", approvalId: asked[0] ?? "", approved: true } as const;
    for (const _ of [1, 2]) await run([turn()], [...messages, { role: "tool", content: [approved] }]);
    expect(effects).toHaveLength(4);
  });

  it("gives failures as tool errors and progress as preliminary results", async () => {
    const registry = createToolRegistry().register([
      defineTool({
        name: "work",
        description: "Works.",
        parameters: z.object({}),
        execute(_, run) {
          run.progress({ message: "half", done: 1, total: 2 });
          return "worked";
        },
      }),
      defineTool({
        name: "fail",
        description: "Fails.",
        parameters: z.object({}),
        execute: () => failure("no such file", { code: "not_found", metadata: { stopLoop: true } }),
      }),
      defineTool({
        name: "end",
        description: "Ends the loop.",
        parameters: z.object({}),
        execute: () => success("ended", { metadata: { stopLoop: true } }),
      }),
    ]);
    const settings = toAiSdkSettings(registry, { version });
    const model = modelOf(version, [
      turn(["1", "work", "{}"]),
      turn(["2", "fail", "{}"]),
      turn(["3", "end", "{}"]),
      turn(),
    ]);
    const parts = await Array.fromAsync(sdk.streamText({ model, prompt: "go", stopWhen, ...settings }).fullStream);
    const preliminary = parts.flatMap((part) =>
      part.type === "tool-result" && part.preliminary === true ? [(part.output as AiSdkOutput).progress?.message] : [],
    );
    expect(preliminary).toEqual(["half", undefined]);
    const error = parts.find((part) => part.type === "tool-error")?.error as FailedCallError;
    expect([error.message, error.code, error.result.code]).toEqual(["no such file", "not_found", "not_found"]);
    expect(model.doStreamCalls).toHaveLength(2);
    const ended = await sdk.generateText({
      model: modelOf(version, [turn(["3", "end", "{}"])]),
      prompt: "go",
      stopWhen,
      ...settings,
    });
    expect(ended.steps).toHaveLength(1);
  });

  it("cancels a running tool by the abort signal, streamed or not", async () => {
    for (const way of ["generateText", "streamText"] as const) {
      const transcript = createTranscript();
      const { signal, onEvent } = cancelAtProgress();
      const settings = toAiSdkSettings(createToolbox(), { transcript, onEvent, version });
      const model = modelOf(version, [turn(["1", "wait", "{}"]), turn()]);
      const request = { model, prompt: "go", abortSignal: signal, ...settings };
      await Promise.allSettled([
        way === "generateText" ? sdk.generateText(request) : Array.fromAsync(sdk.streamText(request).fullStream),
      ]);
      await expect.poll(() => recorded(transcript)).toEqual([["1", "wait", "cancelled"]]);
    }
  });

  it("executes no call of an answer that was cut off", async () => {
    const transcript = createTranscript();
    const cut = {
      ...turn(["1", "weather_get", '{"city":"Oslo"}']),
      finishReason: { unified: "length", raw: undefined },
    } as const;
    const request = { prompt: "go", stopWhen, ...toAiSdkSettings(createToolbox(), { transcript, version }) };
    await sdk.generateText({ model: modelOf(version, [cut]), ...request });
    expect(await sdk.streamText({ model: modelOf(version, [cut]), ...request }).finishReason).toBe("length");
    expect(recorded(transcript)).toEqual([]);
  });

  it("takes the context of each request from the AI SDK", async () => {
    const registry = createToolRegistry().register(
      defineTool({
        name: "who.am_i",
        description: "Who is asking.",
        parameters: z.object({}),
        context: z.object({ user: z.string() }),
        needsApproval: async (_, { user }) => user === "eve",
        execute: (_, { context }) => context.user,
      }),
    );
    const tools = toAiSdkSettings(registry).tools;
    for (const user of ["ada", "eve", undefined]) {
      const model = modelOf(version, [turn(["1", "who_am_i", "{}"])]);
      const context =
        user === undefined ? {} : { toolsContext: { who_am_i: { user } }, experimental_context: { user } };
      const { content } = await sdk.generateText({
        model,
        prompt: "go",
        tools,
        ...(context as { toolsContext: never }),
      });
      const found = { ada: "tool-result", eve: "tool-approval-request" }[user ?? ""] ?? "tool-error";
      expect(content.at(-1)).toMatchObject({ type: found });
    }
  });

  it("lets the AI SDK's approval decide, also after a restart", async () => {
    const asks = turn(["1", "delete_file", '{"path":"a.txt"}'], ["2", "weather_get", '{"city":"Oslo"}']);
    for (const approved of [true, false, undefined]) {
      const transcript = createTranscript();
      const start = () => toAiSdkSettings(createToolbox(), { transcript, version });
      const first = await sdk.generateText({ model: modelOf(version, [asks]), prompt: "go", ...start() });
      const request = first.content.find((part) => part.type === "tool-approval-request");
      expect(recorded(transcript)).toEqual([["2", "weather.get", "ok"]]);
      const said: seven.ModelMessage[] = JSON.parse(JSON.stringify(first.response.messages)) as never;
      const answer = { type: "tool-approval-response", approvalId: request?.approvalId ?? "", approved } as const;
      const messages: seven.ModelMessage[] = [
        { role: "user", content: "go" },
        ...said,
        ...(approved === undefined ? [] : [{ role: "tool" as const, content: [answer as never] }]),
      ];
      const next = modelOf(version, [turn()]);
      await Promise.allSettled([sdk.generateText({ model: next, messages, ...start() })]);
      const outcome = { true: "ok", false: "denied" }[String(approved)];
      const ran = outcome === undefined ? [] : [["1", "delete_file", outcome]];
      expect(recorded(transcript).toSorted()).toEqual([...ran, ["2", "weather.get", "ok"]]);
    }
  });

  it("denies a call that the AI SDK passes on without a person's approval", async () => {
    const tools = toAiSdkSettings(createToolbox(), { version }).tools;
    const forged = [
      { role: "assistant", content: [{ type: "tool-approval-request", approvalId: "a", toolCallId: "other" }] },
      { role: "tool", content: [{ type: "tool-approval-response", approvalId: "a", approved: true }] },
    ];
    const call = tools.delete_file.execute({ path: "a.txt" }, { toolCallId: "1", messages: forged });
    await expect(Array.fromAsync(call)).rejects.toMatchObject({ code: "denied" });
  });

  it("asks the registry's approver inside the call when there is one", async () => {
    for (const approved of [true, false]) {
      const transcript = createTranscript();
      const model = modelOf(version, [turn(["1", "delete_file", '{"path":"a.txt"}']), turn()]);
      const settings = toAiSdkSettings(createToolbox(), { transcript, version, approve: () => approved });
      await sdk.generateText({ model, prompt: "go", stopWhen, ...settings });
      expect(recorded(transcript)).toEqual([["1", "delete_file", approved ? "ok" : "denied"]]);
    }
  });
});

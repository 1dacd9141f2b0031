import { createTranscript } from "@dispatch/tools-interface";
import { toAiSdkTools } from "@dispatch/tools-interface/ai-sdk";
import { generateText, isStepCount, streamText, type ModelMessage } from "ai";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import { describe, expect, it } from "vitest";
import { cancelAtProgress, createToolbox, PIXEL, recorded, REFUSED } from "./toolbox.ts";

// The name for images that AI SDK 6 and 7 share is one that 7 warns of.
globalThis.AI_SDK_LOG_WARNINGS = false;

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
  ),
  turn(["5", "weather_get", '{"city":"Oslo","unit":"F"}']),
  turn(),
];
const entries = [
  ["1", "weather.get", "ok"],
  ["2", "weather.get", "invalid_params"],
  ["3", "screenshot", "ok"],
  ["5", "weather.get", "ok"],
];

function expectConversation(prompts: readonly (readonly unknown[])[]): void {
  expect(results(prompts[1])).toEqual({
    1: { type: "text", value: "Oslo: 15 °C" },
    2: { type: "error-text", value: expect.stringMatching(REFUSED) as unknown },
    3: {
      type: "content",
      value: [
        { type: "text", text: "the screen" },
        expect.objectContaining({ type: "file", data: { type: "data", data: PIXEL }, mediaType: "image/png" }),
      ],
    },
    // The AI SDK answers for tools that it was not given; the call does not reach the registry.
    4: { type: "error-text", value: expect.stringContaining("no_such_tool") as unknown },
  });
  expect(results(prompts[2])).toEqual({ 5: { type: "text", value: "Oslo: 15 °F" } });
  expect(JSON.stringify(prompts)).not.toContain("SECRET");
}

describe("toAiSdkTools() with generateText() and streamText()", () => {
  it("runs a conversation of parallel, refused, corrected and unknown calls", async () => {
    const transcript = createTranscript();
    const model = new MockLanguageModelV4({ doGenerate: script });
    const tools = toAiSdkTools(createToolbox(), { transcript });
    const { text, steps } = await generateText({ model, tools, prompt: "go", stopWhen: isStepCount(5) });
    expect(text).toBe("done");
    expect(steps).toHaveLength(3);
    expect(model.doGenerateCalls[0]?.tools?.map(({ name }) => name)).toEqual([
      "weather_get",
      "screenshot",
      "wait",
      "delete_file",
    ]);
    expect(model.doGenerateCalls[0]?.tools?.[0]).toMatchObject({
      type: "function",
      description: "The weather in a city.",
      inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    });
    expectConversation(model.doGenerateCalls.map(({ prompt }) => prompt));
    expect(recorded(transcript)).toEqual(entries);
  });

  it("runs the same conversation as a stream", async () => {
    const transcript = createTranscript();
    const model = new MockLanguageModelV4({ doStream: script.map(streamed) });
    const tools = toAiSdkTools(createToolbox(), { transcript });
    const result = streamText({ model, tools, prompt: "go", stopWhen: isStepCount(5) });
    expect(await result.text).toBe("done");
    expectConversation(model.doStreamCalls.map(({ prompt }) => prompt));
    expect(recorded(transcript)).toEqual(entries);
  });

  it("cancels a running tool by the abort signal", async () => {
    const transcript = createTranscript();
    const { signal, onEvent } = cancelAtProgress();
    const model = new MockLanguageModelV4({ doGenerate: [turn(["1", "wait", "{}"]), turn()] });
    const tools = toAiSdkTools(createToolbox(), { transcript, onEvent });
    const ended = generateText({ model, tools, prompt: "go", abortSignal: signal });
    await expect(Promise.allSettled([ended])).resolves.toHaveLength(1);
    expect(recorded(transcript)).toEqual([["1", "wait", "cancelled"]]);
  });
});

describe("toAiSdkTools() with approval", () => {
  const asks = turn(["1", "delete_file", '{"path":"a.txt"}']);

  it("asks the registry's approver inside the call, and denies without one", async () => {
    for (const approve of [undefined, () => true]) {
      const transcript = createTranscript();
      const model = new MockLanguageModelV4({ doGenerate: [asks, turn()] });
      const tools = toAiSdkTools(createToolbox(), { transcript, approve });
      await generateText({ model, tools, prompt: "go", stopWhen: isStepCount(3) });
      expect(recorded(transcript)).toEqual([["1", "delete_file", approve === undefined ? "denied" : "ok"]]);
    }
  });

  it("leaves the question to the AI SDK where that asks by `toolApproval`", async () => {
    for (const approved of [true, false]) {
      const transcript = createTranscript();
      const model = new MockLanguageModelV4({ doGenerate: [asks, turn()] });
      // What reaches the registry has been approved before.
      const tools = toAiSdkTools(createToolbox(), { transcript, approve: () => true });
      const options = { model, tools, toolApproval: { delete_file: "user-approval" } } as const;
      const first = await generateText({ ...options, prompt: "go" });
      const request = first.content.find((part) => part.type === "tool-approval-request");
      expect(recorded(transcript)).toEqual([]);
      const messages: ModelMessage[] = [
        { role: "user", content: "go" },
        ...first.response.messages,
        {
          role: "tool",
          content: [{ type: "tool-approval-response", approvalId: request?.approvalId ?? "", approved }],
        },
      ];
      await generateText({ ...options, messages });
      expect(recorded(transcript)).toEqual(approved ? [["1", "delete_file", "ok"]] : []);
    }
  });
});

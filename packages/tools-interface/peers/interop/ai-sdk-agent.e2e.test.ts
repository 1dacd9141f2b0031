import { createAgentTool } from "@dispatch/agent";
import { createDurable, createMemoryEngine } from "@dispatch/durable";
import { fromAiSdkModel, type AiSdkLanguageModel } from "@dispatch/providers/ai-sdk";
import { createToolRegistry, defineTool, failure, success } from "@dispatch/tools-interface";
import { MockLanguageModelV4 } from "ai/test";
import { MockLanguageModelV3 } from "ai6/test";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { PIXEL } from "./toolbox.ts";

type Generated = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;
type Asked = {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools: unknown;
};

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

const answer = (unified: "tool-calls" | "stop" | "length", ...content: Generated["content"]): Generated => ({
  content,
  finishReason: { unified, raw: undefined },
  usage,
  warnings: [],
  response: { id: `msg_${JSON.stringify(content).length}`, timestamp: new Date() },
});
const call = (toolCallId: string, toolName: string, input: string): Generated["content"][number] => ({
  type: "tool-call",
  toolCallId,
  toolName,
  input,
});

const looked: string[] = [];
const tools = createToolRegistry().register([
  defineTool({
    name: "look_up",
    description: "The price of something.",
    parameters: z.object({ word: z.string() }),
    annotations: { readOnly: true },
    execute: ({ word }) => (looked.push(word), word === "tea" ? "3 euros" : failure(`no ${word}`)),
  }),
  defineTool({
    name: "draw",
    description: "A picture.",
    parameters: z.object({}),
    annotations: { readOnly: true },
    execute: () => success("drawn", { content: [{ type: "image", data: PIXEL, mimeType: "image/png" }] }),
  }),
]);

function agentOf(model: AiSdkLanguageModel) {
  const research = createAgentTool({
    name: "research",
    description: "Finds out what something costs.",
    instructions: "You find prices.",
    model: fromAiSdkModel(model, { maxOutputTokens: 100 }),
    tools,
    output: z.object({ price: z.number() }),
  });
  return createToolRegistry().register(research);
}

describe.each([6, 7] as const)("fromAiSdkModel() with a model of AI SDK %i", (version) => {
  const modelOf = (script: readonly Generated[]): MockLanguageModelV4 => {
    const options = { doGenerate: [...script] };
    return version === 7 ? new MockLanguageModelV4(options) : (new MockLanguageModelV3(options as never) as never);
  };
  const askedOf = (model: MockLanguageModelV4, n: number): Asked => model.doGenerateCalls[n] as unknown as Asked;

  it("runs the agent's calls and sends the model its own answers and their results", async () => {
    const thought = { type: "reasoning", text: "Tea.", providerMetadata: { anthropic: { signature: "abc" } } } as const;
    const model = modelOf([
      answer("tool-calls", thought, call("a", "look_up", '{"word":"tea"}'), call("b", "look_up", '{"word":"rum"}')),
      answer("tool-calls", call("c", "draw", "{}"), call("d", "look_up", "{broken")),
      answer("tool-calls", call("e", "give_result", '{"price":3}')),
    ]);
    const result = await agentOf(model).dispatch("research", { task: "What does tea cost?" });
    expect(result).toMatchObject({ success: true, data: { price: 3 }, metadata: { agent: { tokens: 45 } } });
    const { prompt, tools: offered } = askedOf(model, 2);
    expect(prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "assistant", "tool"]);
    expect(prompt[2]?.content).toMatchObject([
      { type: "reasoning", text: "Tea.", providerOptions: { anthropic: { signature: "abc" } } },
      { type: "tool-call", toolCallId: "a", toolName: "look_up", input: { word: "tea" } },
      { type: "tool-call", toolCallId: "b" },
    ]);
    expect(prompt[3]?.content).toMatchObject([
      { type: "tool-result", toolCallId: "a", toolName: "look_up", output: { type: "text", value: "3 euros" } },
      { type: "tool-result", toolCallId: "b", toolName: "look_up", output: { type: "error-text", value: "no rum" } },
    ]);
    expect(prompt[5]?.content).toMatchObject([{ output: { type: "content" } }, { toolCallId: "d" }]);
    expect(offered).toMatchObject([
      { type: "function", name: "look_up", inputSchema: { type: "object", required: ["word"] } },
      { name: "draw" },
      { name: "give_result" },
    ]);
    expect(model.doGenerateCalls[0]).toMatchObject({ maxOutputTokens: 100, abortSignal: expect.any(AbortSignal) });
  });

  it("runs no call in which the answer was cut off", async () => {
    const model = modelOf([answer("length", call("a", "look_up", '{"word":"t"}'))]);
    looked.length = 0;
    const result = await agentOf(model).dispatch("research", { task: "?" });
    expect([looked, result.success]).toEqual([[], false]);
  });

  it("goes on from kept answers, as plain data", async () => {
    const durable = createDurable(createMemoryEngine());
    const model = modelOf([answer("tool-calls", call("a", "give_result", '{"price":3}'))]);
    const sent = { id: "toolu_01A09q90qw90", name: "research", arguments: { task: "?" } };
    const options = { durable: durable.session("s") };
    expect(await agentOf(model).dispatch(sent, options)).toMatchObject({ data: { price: 3 } });
    expect(await agentOf(model).dispatch(sent, options)).toMatchObject({ success: true });
    expect(model.doGenerateCalls).toHaveLength(1);
  });
});

import { stopLoop, toAiSdkSettings } from "@dispatch/providers/ai-sdk";
import { toOpenAiTools } from "@dispatch/providers/openai";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { generateText, isStepCount, streamText, ToolLoopAgent } from "ai";
import type { FlexibleSchema, InferUITools, LanguageModel, Tool, ToolResultPart, ToolSet, UIMessage } from "ai";
import * as six from "ai6";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { createToolbox } from "./toolbox.ts";

const tools = toAiSdkSettings(createToolbox()).tools;
type One = (typeof tools)["weather_get"];
const model = "" as LanguageModel;
const whoami = createToolRegistry().register(
  defineTool({
    name: "who.am_i",
    description: "Who is asking.",
    parameters: z.object({ loud: z.boolean().default(false) }),
    context: z.object({ user: z.string() }),
    execute: (_, { context }) => context.user,
  }),
);

test("toAiSdkSettings() answers a set of tools as both versions take it", () => {
  expectTypeOf(tools).toExtend<ToolSet>();
  expectTypeOf<One>().toExtend<Tool>();
  expectTypeOf<One["inputSchema"]>().toExtend<FlexibleSchema>();
  expectTypeOf<ReturnType<One["toModelOutput"]>>().toExtend<ToolResultPart["output"]>();
  void (() => generateText({ model, prompt: "", tools, stopWhen: [isStepCount(3), stopLoop] }));
  void (() => streamText({ model, prompt: "", ...toAiSdkSettings(createToolbox()) }));
  void (() => new ToolLoopAgent({ model, ...toAiSdkSettings(createToolbox()) }));
  void toAiSdkSettings(createToolbox(), { approve: ({ name }) => name !== "", onEvent: ({ type }) => void type });
  const older = toAiSdkSettings(createToolbox(), { version: 6 });
  void (() => six.generateText({ model: "", prompt: "", ...older, stopWhen: [six.stepCountIs(3), stopLoop] }));
  void (() => new six.ToolLoopAgent({ model: "", ...older }));
  expectTypeOf({ ...tools, mine: tools.wait }).toExtend<ToolSet>();
  // @ts-expect-error tools of a provider
  expectTypeOf(toOpenAiTools([]).tools).toExtend<ToolSet>();
});

test("names, inputs and outputs are typed", async () => {
  type Tools = InferUITools<typeof tools>;
  expectTypeOf<keyof Tools>().toEqualTypeOf<"weather_get" | "screenshot" | "wait" | "delete_file">();
  expectTypeOf<Tools["weather_get"]["input"]>().toEqualTypeOf<{ city: string; unit?: "C" | "F" | undefined }>();
  expectTypeOf<NonNullable<Tools["weather_get"]["output"]["data"]>>().toEqualTypeOf<{ degrees: number }>();
  expectTypeOf<UIMessage<unknown, never, Tools>["parts"][number]["type"]>().toExtend<string>();
  // @ts-expect-error a wrong name
  void tools.wether_get;
  void (() => generateText({ model, prompt: "", tools, activeTools: ["weather_get"] }));
  // @ts-expect-error a wrong name
  void (() => generateText({ model, prompt: "", tools, activeTools: ["wether_get"] }));
  // @ts-expect-error a wrong name
  void (() => generateText({ model, prompt: "", tools, toolChoice: { type: "tool", toolName: "wether_get" } }));
  void (async () => {
    const { staticToolCalls } = await generateText({ model, prompt: "", tools });
    for (const call of staticToolCalls) if (call.toolName === "weather_get") expectTypeOf(call.input.city).toBeString();
  });
});

test("the context comes with the request, or was given beforehand", () => {
  const open = toAiSdkSettings(whoami).tools;
  void (() => generateText({ model, prompt: "", tools: open, toolsContext: { who_am_i: { user: "ada" } } }));
  // @ts-expect-error no context
  void (() => generateText({ model, prompt: "", tools: open }));
  // @ts-expect-error a wrong context
  void (() => generateText({ model, prompt: "", tools: open, toolsContext: { who_am_i: { user: 1 } } }));
  void (() => generateText({ model, prompt: "", tools: toAiSdkSettings(whoami, { context: { user: "ada" } }).tools }));
  // @ts-expect-error a wrong context
  toAiSdkSettings(whoami, { context: { user: 1 } }).tools;
});

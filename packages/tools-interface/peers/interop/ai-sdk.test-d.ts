import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { toAiSdkTools } from "@dispatch/tools-interface/ai-sdk";
import { toOpenAiTools } from "@dispatch/tools-interface/openai";
import { generateText, streamText, ToolLoopAgent } from "ai";
import type { FlexibleSchema, LanguageModel, Tool, ToolResultPart, ToolSet } from "ai";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { createToolbox } from "./toolbox.ts";

const tools = toAiSdkTools(createToolbox());
type One = (typeof tools)[string];

test("toAiSdkTools() answers a set of tools as the SDK takes it", () => {
  expectTypeOf(tools).toExtend<ToolSet>();
  expectTypeOf<One>().toExtend<Tool>();
  expectTypeOf<One["inputSchema"]>().toExtend<FlexibleSchema>();
  expectTypeOf<ReturnType<One["toModelOutput"]>>().toExtend<ToolResultPart["output"]>();
  const model = "" as LanguageModel;
  expectTypeOf(generateText<typeof tools>).toBeCallableWith({ model, prompt: "", tools });
  expectTypeOf(streamText<typeof tools>).toBeCallableWith({ model, prompt: "", tools });
  expectTypeOf(ToolLoopAgent<never, typeof tools>).toBeConstructibleWith({ model, tools });
  expectTypeOf({ ...tools, mine: tools["wait"] as One }).toExtend<ToolSet>();
  // @ts-expect-error tools of a provider
  expectTypeOf(toOpenAiTools([]).tools).toExtend<ToolSet>();
});

test("toAiSdkTools() requires the context that the tools need", () => {
  const registry = createToolRegistry().register(
    defineTool({
      name: "whoami",
      description: "Who is asking.",
      parameters: z.object({}),
      context: z.object({ user: z.string() }),
      execute: (_, { context }) => context.user,
    }),
  );
  expectTypeOf(toAiSdkTools(registry, { context: { user: "ada" } })).toExtend<ToolSet>();
  // @ts-expect-error no context
  toAiSdkTools(registry);
});

import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { toOpenAiAgentsTools, toOpenAiTools } from "@dispatch/tools-interface/openai";
import { Agent, tool, type ToolOutputImage, type ToolOutputText } from "@openai/agents";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { createToolbox } from "./toolbox.ts";

test("toOpenAiAgentsTools() answers options as tool() takes them", () => {
  for (const all of [toOpenAiAgentsTools(createToolbox()), toOpenAiAgentsTools(createToolbox(), { strict: true })]) {
    const tools = all.map((one) => tool(one));
    expectTypeOf(Agent).toBeConstructibleWith({ name: "", tools });
    type Output = Exclude<Awaited<ReturnType<(typeof all)[number]["execute"]>>, string>;
    expectTypeOf<Output>().toExtend<(ToolOutputText | ToolOutputImage)[]>();
  }
  // @ts-expect-error tools of the Responses API do not run by themselves
  toOpenAiTools([]).tools.map((one) => tool(one));
});

test("toOpenAiAgentsTools() requires the context that the tools need", () => {
  const registry = createToolRegistry().register(
    defineTool({
      name: "whoami",
      description: "Who is asking.",
      parameters: z.object({}),
      context: z.object({ user: z.string() }),
      execute: (_, { context }) => context.user,
    }),
  );
  expectTypeOf(toOpenAiAgentsTools(registry, { context: { user: "ada" }, strict: ["whoami"] })).toBeArray();
  // @ts-expect-error no context
  toOpenAiAgentsTools(registry);
  // @ts-expect-error no context
  toOpenAiAgentsTools(registry, { strict: true });
});

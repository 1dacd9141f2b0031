import { toOpenAiTools } from "@dispatch/providers/openai";
import { toOpenAiAgentsRunSettings, toOpenAiAgentsSettings } from "@dispatch/providers/openai-agents";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import {
  Agent,
  run,
  tool,
  type ToolOutputFileContent,
  type ToolOutputImage,
  type ToolOutputText,
} from "@openai/agents";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { createToolbox } from "./toolbox.ts";

test("toOpenAiAgentsSettings() answers options as tool() takes them", () => {
  for (const all of [
    toOpenAiAgentsSettings((one) => one, createToolbox()).tools,
    toOpenAiAgentsSettings((one) => one, createToolbox(), { strict: true }).tools,
  ]) {
    expectTypeOf(Agent).toBeConstructibleWith({ name: "", tools: all.map((one) => tool(one)) });
    type Output = Exclude<Awaited<ReturnType<(typeof all)[number]["execute"]>>, string>;
    expectTypeOf<Output>().toExtend<(ToolOutputText | ToolOutputImage | ToolOutputFileContent)[]>();
  }
  // @ts-expect-error tools of the Responses API do not run by themselves
  toOpenAiTools([]).tools.map((one) => tool(one));
});

test("the context comes with the run, or was given beforehand", () => {
  const registry = createToolRegistry().register(
    defineTool({
      name: "whoami",
      description: "Who is asking.",
      parameters: z.object({}),
      context: z.object({ user: z.string() }),
      execute: (_, { context }) => context.user,
    }),
  );
  const closed = new Agent({ name: "", ...toOpenAiAgentsSettings(tool, registry, { context: { user: "ada" } }) });
  void (() => run(closed, ""));
  toOpenAiAgentsSettings(tool, registry, { approve: ({ name }) => name !== "", errorFunction: (_, { code }) => code });
  const open = new Agent<{ user: string }>({ name: "", ...toOpenAiAgentsSettings(tool, registry) });
  void (() => run(open, "", { context: { user: "ada" }, ...toOpenAiAgentsRunSettings(registry) }));
  // @ts-expect-error a wrong context
  toOpenAiAgentsSettings((one) => one, registry, { context: { user: 1 } }).tools;
});

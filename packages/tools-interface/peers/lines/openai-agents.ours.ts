import { toOpenAiAgentsRunSettings, toOpenAiAgentsSettings } from "@dispatch/providers/openai-agents";
import { createToolRegistry, defineTool, success } from "@dispatch/tools-interface";
import { Agent, run, tool, type Model } from "@openai/agents";
import { z } from "zod";
import { page, type Ask } from "./page.ts";

const registry = createToolRegistry().register([
  defineTool({
    name: "read_clock",
    description: "The time in a city.",
    parameters: z.object({ city: z.string() }),
    execute: ({ city }) => `noon in ${city}`,
  }),
  defineTool({
    name: "show_page",
    description: "A picture of the page.",
    parameters: z.object({}),
    execute: () => success("the page", { content: [{ type: "image", ...page }] }),
  }),
  defineTool({
    name: "delete_file",
    description: "Deletes a file.",
    parameters: z.object({ path: z.string() }),
    needsApproval: true,
    execute: ({ path }) => `${path} is deleted`,
  }),
]);

export async function answer(model: Model, prompt: string, ask: Ask, signal: AbortSignal) {
  const settings = toOpenAiAgentsSettings(tool, registry, { approve: ({ name, params }) => ask(name, params) });
  const agent = new Agent({ name: "Assistant", model, ...settings });
  const { finalOutput } = await run(agent, prompt, { signal, maxTurns: 20, ...toOpenAiAgentsRunSettings(registry) });
  return finalOutput;
}

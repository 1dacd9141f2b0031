import { toAiSdkSettings } from "@dispatch/providers/ai-sdk";
import { createToolRegistry, defineTool, success } from "@dispatch/tools-interface";
import { generateText, isStepCount, type LanguageModel } from "ai";
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

export async function answer(model: LanguageModel, prompt: string, ask: Ask, abortSignal: AbortSignal) {
  const settings = toAiSdkSettings(registry, {
    approve: ({ name, params }) => ask(name, params),
  });
  const { text } = await generateText({ model, prompt, abortSignal, ...settings, stopWhen: isStepCount(20) });
  return text;
}

import type Anthropic from "@anthropic-ai/sdk";
import { toAnthropicRunner } from "@dispatch/providers/anthropic";
import { createToolRegistry, defineTool, success } from "@dispatch/tools-interface";
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

export async function answer(client: Anthropic, prompt: string, ask: Ask, signal: AbortSignal) {
  const tools = toAnthropicRunner(registry, { approve: ({ name, params }) => ask(name, params) }).tools;
  const messages = [{ role: "user" as const, content: prompt }];
  const request = { model: "claude-opus-4-6", max_tokens: 16_000, max_iterations: 20, messages, tools };
  return client.beta.messages.toolRunner(request, { signal }).runUntilDone();
}

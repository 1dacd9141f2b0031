import type Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { z } from "zod";
import { page, type Ask } from "./page.ts";

export async function answer(client: Anthropic, prompt: string, ask: Ask, signal: AbortSignal) {
  const tools = [
    betaZodTool({
      name: "read_clock",
      description: "The time in a city.",
      inputSchema: z.object({ city: z.string() }),
      run: ({ city }) => `noon in ${city}`,
    }),
    betaZodTool({
      name: "show_page",
      description: "A picture of the page.",
      inputSchema: z.object({}),
      run: () => [{ type: "image", source: { type: "base64", media_type: page.mimeType, data: page.data } }],
    }),
    betaZodTool({
      name: "delete_file",
      description: "Deletes a file.",
      inputSchema: z.object({ path: z.string() }),
      async run(input) {
        if (!(await ask("delete_file", input))) throw new Error("The user said no.");
        return `${input.path} is deleted`;
      },
    }),
  ];
  const messages = [{ role: "user" as const, content: prompt }];
  const request = { model: "claude-opus-4-6", max_tokens: 16_000, max_iterations: 20, messages, tools };
  return client.beta.messages.toolRunner(request, { signal }).runUntilDone();
}

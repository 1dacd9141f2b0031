import { Agent, run, tool, type Model } from "@openai/agents";
import { z } from "zod";
import { page, type Ask } from "./page.ts";

const tools = [
  tool({
    name: "read_clock",
    description: "The time in a city.",
    parameters: z.object({ city: z.string() }),
    execute: ({ city }) => `noon in ${city}`,
  }),
  tool({
    name: "show_page",
    description: "A picture of the page.",
    parameters: z.object({}),
    execute: () => ({ type: "image" as const, image: `data:${page.mimeType};base64,${page.data}` }),
  }),
  tool({
    name: "delete_file",
    description: "Deletes a file.",
    parameters: z.object({ path: z.string() }),
    needsApproval: true,
    execute: ({ path }) => `${path} is deleted`,
  }),
];

export async function answer(model: Model, prompt: string, ask: Ask, signal: AbortSignal) {
  const agent = new Agent({ name: "Assistant", model, tools });
  const options = { signal, maxTurns: 20, toolNotFoundBehavior: "return_error_to_model" } as const;
  let result = await run(agent, prompt, options);
  while (result.interruptions.length > 0) {
    for (const interruption of result.interruptions) {
      const approved = await ask(`${interruption.name}`, interruption.arguments);
      if (approved) result.state.approve(interruption);
      else result.state.reject(interruption);
    }
    result = await run(agent, result.state, options);
  }
  return result.finalOutput;
}

import { z } from "zod";
import { createToolRegistry, defineTool } from "../../index.ts";

const look = defineTool({
  name: "look",
  description: "Looks.",
  parameters: z.object({ at: z.string() }),
  output: z.object({ seen: z.boolean() }),
  context: z.object({ eyes: z.number(), light: z.boolean().optional() }),
  execute: () => ({ seen: true }),
});
const walk = defineTool({
  name: "walk",
  description: "Walks.",
  parameters: z.object({ to: z.string().default("home") }),
  context: z.object({ eyes: z.number(), feet: z.number() }),
  execute: ({ to }) => to,
});

export const both = createToolRegistry().register([look, walk]);
export const chained = createToolRegistry().register(look).register(walk);
export const extended = createToolRegistry().register(look).extend(createToolRegistry().register(walk));
export const listed = createToolRegistry().register(both.tools);
export const narrowed = both.subset("look");
export const result = both.dispatch("look", { at: "it" }, { context: { eyes: 2, feet: 2 } });
export const tools = both.tools;

import { fromAnthropicMessage, toAnthropicTools } from "@dispatch/providers/anthropic";
import { toOpenAiTools } from "@dispatch/providers/openai";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { z } from "zod";

const add = defineTool({
  name: "add",
  description: "Adds.",
  parameters: z.object({ a: z.number().describe("First"), b: z.number().optional() }),
  output: z.object({ sum: z.number() }),
  execute: ({ a, b = 1 }) => ({ sum: a + b }),
});
const registry = createToolRegistry().register(add);
const result = await registry.dispatch("add", { a: 41 });
/** @type {number | undefined} */
const sum = result.success ? result.data.sum : undefined;
const wire = toAnthropicTools(registry, { strict: true });
const content = [{ type: "tool_use", id: "1", name: "add", input: { a: "40", b: 2 } }];
const [repaired] = await registry.dispatchAll(fromAnthropicMessage({ content, stop_reason: "tool_use" }, wire));
const told = JSON.stringify(toOpenAiTools(registry, { strict: true }).tools).includes("First");
console.log(`${sum === 42 && repaired?.success === true && told ? "works" : [sum, String(repaired), told].join()}`);

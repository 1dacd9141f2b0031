import { createToolRegistry, createTranscript, defineTool } from "@dispatch/tools-interface";
import { z } from "zod";
import { DenoRuntime } from "../src/deno/index.ts";
import { createProgramValues, registerCodeTool } from "../src/index.ts";
import { QuickJsRuntime } from "../src/quickjs/index.ts";
import { memoryAttacks } from "./memory-attacks.ts";

/** A host, a process of its own: runs every attack once, and prints its name and the code of its result. */
const runtime =
  process.argv[2] === "quickjs"
    ? new QuickJsRuntime()
    : new DenoRuntime({ prewarm: 0, onContainment: () => undefined });
const parameters = z.object({ text: z.string() });
const tools = createToolRegistry()
  .register(defineTool({ name: "text", description: "Takes text.", parameters, execute: ({ text }) => text.length }))
  .register(
    defineTool({
      name: "echo",
      description: "Returns a value.",
      parameters: z.object({ value: z.unknown() }),
      execute: ({ value }) => ({ value }),
    }),
  )
  .register(
    defineTool({
      name: "list",
      description: "Takes lists.",
      parameters: z.object({ items: z.array(z.array(z.number())) }),
      execute: ({ items }) => items.length,
    }),
  )
  .register(
    defineTool({
      name: "make",
      description: "Makes a text.",
      parameters: z.object({ chars: z.number(), wide: z.boolean().optional() }),
      execute: ({ chars, wide }) => ({ text: "x".repeat(chars) + (wide === true ? "ж" : "") }),
    }),
  )
  .register(
    defineTool({
      name: "rows",
      description: "Makes rows.",
      parameters: z.object({ count: z.number() }),
      execute: ({ count }) => Array.from({ length: count }, (_, id) => ({ id, half: id / 2 })),
    }),
  )
  .register(
    defineTool({
      name: "fail",
      description: "Fails.",
      parameters,
      execute: ({ text }): string => {
        throw new Error(text);
      },
    }),
  );

const registry = registerCodeTool(tools, { runtime, values: createProgramValues() });
const transcript = createTranscript();
for (const [at, [name, code]] of memoryAttacks(process.argv[2] as "deno" | "quickjs").entries()) {
  const call = { id: `toolu_${at}`, name: "execute_code", arguments: { code } };
  const result = await registry.dispatch(call, { transcript });
  process.stdout.write(`${JSON.stringify([name, result.success ? "" : result.code])}\n`);
}
await runtime.close();

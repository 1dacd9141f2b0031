import process from "node:process";
import { createToolRegistry, createTranscript, defineTool, success, type ToolRun } from "../../index.ts";

const MIB = 1024 * 1024;

/** Calls of tools that make as much as a program may by default, in one of several forms. */
const FORMS: Readonly<Record<string, { readonly calls: number; readonly make: (at: number) => unknown }>> = {
  "long texts": { calls: 3, make: (at) => `${at}`.padEnd(7.5 * MIB, "x") },
  "wide texts": { calls: 3, make: (at) => `ж${at}`.padEnd(3.7 * MIB, "x") },
  "many objects": { calls: 3, make: () => Array.from({ length: 29_000 }, (_, id) => ({ id })) },
  "many calls": { calls: 100, make: (at) => `${at}`.padEnd(0.23 * MIB, "x") },
};
const object = { type: "object" } as const;
const [form = "", programs] = process.argv.slice(2);
const { calls, make } = FORMS[form] ?? { calls: 0, make: () => undefined };
const made = defineTool({
  name: "made",
  description: "M.",
  parameters: object,
  execute: () => success("made", { data: make(Math.random()) }),
});
const program = defineTool({
  name: "program",
  description: "P.",
  parameters: object,
  async execute(_, run: ToolRun) {
    for (let at = 0; at < calls; at += 1) {
      await run.dispatch?.({ id: `${run.callId}/${at}`, name: "made", arguments: {} }, { caller: "program" });
    }
    return success("ended", { data: { value: "v".repeat(MIB) } });
  },
});
const registry = createToolRegistry().register([made, program]);
const transcript = createTranscript();
for (let at = 0; at < Number(programs); at += 1)
  await registry.dispatch({ id: `toolu_${at}_x`, name: "program", arguments: {} }, { transcript });
process.stdout.write(String(transcript.entries.length));

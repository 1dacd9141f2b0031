import process from "node:process";
import { z } from "zod";
import { createToolRegistry, defineTool, type ToolRun } from "../../index.ts";

/** Runs a tool that calls itself without end in the way named by the argument, and prints the code of its result. */
const [way = ""] = process.argv.slice(2);
const again = (run: ToolRun): Promise<unknown> =>
  way.includes("run") ? (run.dispatch?.({ name: "self" }) ?? Promise.resolve()) : registry.dispatch("self", {});
const self = defineTool({
  name: "self",
  description: "Calls itself.",
  parameters: z.object({}),
  timeoutMs: 1_500,
  async execute(_, run) {
    if (way.includes("late")) await Promise.resolve();
    if (way.includes("wide")) await Promise.all(Array.from({ length: 10 }, () => again(run)));
    else if (way.includes("twice")) await again(run).then(() => again(run));
    else await again(run);
    return "ended";
  },
});
const registry = createToolRegistry({ maxDepth: 256 }).register(self);
let ticks = 0;
setInterval(() => (ticks += 1), 100);
const result = await registry.dispatch("self", {});
const line = JSON.stringify({ code: result.success ? "success" : result.code, hasTicked: ticks > 2 || result.success });
process.stdout.write(line, () => process.exit(0));

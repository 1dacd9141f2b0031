import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import {
  createToolRegistry,
  createTranscript,
  defineTool,
  reconcile,
  runTools,
  type AnyTool,
  type AnyToolRegistry,
  type ToolRun,
} from "../../index.ts";

/** Runs a tool that calls itself, or one of the functions below, without end, and prints the code of its result. */
const [way = ""] = process.argv.slice(2);
/** Whatever answers a tool without a call of it that runs. */
const DOORS: Readonly<Record<string, (run: ToolRun) => Promise<unknown> | undefined>> = {
  "dispatchAll of nothing": () => registry.dispatchAll([]),
  "dispatchAll of an unknown tool": () => registry.dispatchAll([{ name: "nope" }]),
  "dispatch with a wrong option": () => registry.dispatch("self", {}, { aprove: 1 } as never),
  "dispatch of damaged arguments": () => registry.dispatch({ name: "self", arguments: "{" }),
  "dispatch of another tool": () => registry.dispatch("leaf", {}),
  "run.dispatch of another tool": (run) => run.dispatch?.({ name: "leaf" }),
  "run.dispatch of a caller that is none": (run) => run.dispatch?.({ name: "leaf" }, { caller: "programm" } as never),
  "next of a middleware": () => asking.dispatch("leaf", {}),
  "call with a wrong option": () => self.call({}, { aprove: 1 } as never),
  "run.dispatch with a wrong option": (run) => run.dispatch?.({ name: "self" }, { signals: 1 } as never),
  "run.dispatch of a registry that is none": (run) => run.dispatch?.({ name: "self" }, { registry: {} }),
  validate: () => self.validate({}),
  "validate of wrong parameters": () => self.validate(3),
  approvalRequest: () => self.approvalRequest({}),
  reconcile: () => reconcile(createTranscript(), []),
  "runTools without turns": () => runTools(registry, { ...silent, maxTurns: 0 }),
  "runTools that goes on": () => runTools(registry, { ...silent, maxTurns: Infinity }),
};
const silent = { ask: () => "", read: () => ({ calls: [], end: "paused" as const }), add: () => undefined };
const again = (run: ToolRun): Promise<unknown> =>
  way.includes("run") ? (run.dispatch?.({ name: "self" }) ?? Promise.resolve()) : registry.dispatch("self", {});
const self: AnyTool = defineTool({
  name: "self",
  description: "Calls itself.",
  parameters: z.object({}),
  // Those that call themselves get time to fill the memory.
  timeoutMs: way in DOORS ? 50 : 1_500,
  async execute(_, run) {
    const door = DOORS[way];
    if (door !== undefined) for (;;) await door(run);
    if (way.includes("unawaited")) for (let made = 0; made < 400_000; made += 1) void run.dispatch?.({ name: "leaf" });
    if (way.includes("late")) await Promise.resolve();
    if (way.includes("wide")) await Promise.all(Array.from({ length: 10 }, () => again(run)));
    else if (way.includes("twice")) await again(run).then(() => again(run));
    else await again(run);
    return "ended";
  },
});
const leaf = defineTool({ name: "leaf", description: "Answers.", parameters: z.object({}), execute: () => "leaf" });
const registry: AnyToolRegistry = createToolRegistry({ maxDepth: 256 }).register([self, leaf]);
const asking = createToolRegistry({
  middleware: [
    async (_, next) => {
      while ((await next()).success);
      return next();
    },
  ],
}).register(leaf);
/** The names of the doors, for the test of each. */
if (way === "") {
  process.stdout.write(JSON.stringify(Object.keys(DOORS)));
  process.exit(0);
}
let ticks = 0;
setInterval(() => (ticks += 1), 5);
/** Ends when the event loop has come round some times; the test ends a process in which it does not. */
const goesOn = async (): Promise<void> => {
  for (let round = 0; round < 3; round += 1) await setTimeout(5);
};
const result = await registry.dispatch("self", {});
if (way in DOORS) {
  // A tool that ignores its signal goes on, and must leave turns to others still.
  await goesOn();
  // So must a host that asks again until something has changed.
  const over = new AbortController();
  void goesOn().then(() => over.abort());
  while (!over.signal.aborted) await registry.dispatch("leaf", {});
}
const line = JSON.stringify({ code: result.success ? "success" : result.code, hasTicked: ticks > 2 || result.success });
process.stdout.write(line, () => process.exit(0));

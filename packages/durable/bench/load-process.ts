import process from "node:process";
import { createDurable } from "@dispatch/durable";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { openDestination } from "../test/destination.ts";
import { openEngine } from "../test/open-engine.ts";

/**
 * A worker under load: `node load-process.ts ENGINE DESTINATION CONCURRENCY`. On a message it stops taking calls and sends
 * the milliseconds of each call, from the moment it was given the call until the result was recorded, and its memory.
 */
const [url = "", file = "", concurrency = "8"] = process.argv.slice(2);
const engine = await openEngine(url, true, Number(concurrency));
const destination = openDestination(file);
const times: number[] = [];
const serve = engine.serve.bind(engine);
engine.serve = (worker) =>
  serve({
    ...worker,
    async handle(key, intent) {
      const started = performance.now();
      await worker.handle(key, intent);
      times.push(performance.now() - started);
    },
  });
const charge = defineTool({
  name: "charge",
  description: "Acts.",
  parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  execute: (_, { effectId }) => (destination.act(effectId, "charge"), `done ${effectId}`),
});
const stop = createDurable(engine).serve(createToolRegistry().register(charge), {
  maxConcurrency: Number(concurrency),
});
process.once("message", () => {
  void stop()
    .then(() => engine.close())
    .then(() => process.send?.({ times, rss: process.resourceUsage().maxRSS * 1024 }, () => process.exit(0)));
});

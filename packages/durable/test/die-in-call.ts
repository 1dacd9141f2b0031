import process from "node:process";
import { createDurable } from "@dispatch/durable";
import { openDestination } from "./destination.ts";
import { effectTools } from "./effect-tools.ts";
import { openEngine } from "./open-engine.ts";

/** Dispatches one call and dies in it: `node die-in-call.ts ENGINE DESTINATION TOOL MOMENT`. */
const [url = "", file = "", name = "", moment = ""] = process.argv.slice(2);
const registry = effectTools(openDestination(file), (reached) => {
  if (reached === moment) process.kill(process.pid, "SIGKILL");
});
const durable = createDurable(await openEngine(url, true));
await registry.dispatch({ id: "toolu_01A09q90qw90", name, arguments: { n: 1 } }, { durable: durable.session("s") });

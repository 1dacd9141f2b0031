import process from "node:process";
import { createDurable } from "@dispatch/durable";
import { openDestination } from "./destination.ts";
import { effectTools } from "./effect-tools.ts";
import { openEngine } from "./open-engine.ts";

/**
 * A worker that dies: `node worker.ts ENGINE DESTINATION CHANCE MAX_MS CONCURRENCY`. At each moment that a tool reaches
 * it kills itself with this chance, and at a random time below MAX_MS anyway; until then its clock jumps. With a chance
 * of 0 it lives until it is ended.
 */
const [url = "", file = "", chance = "0", maxMs = "500", concurrency = "4"] = process.argv.slice(2);
const die = (): boolean => process.kill(process.pid, "SIGKILL");
const reach = (): void => {
  if (Math.random() < Number(chance)) die();
};
const durable = createDurable(await openEngine(url, true));
const stop = durable.serve(effectTools(openDestination(file), reach), { maxConcurrency: Number(concurrency) });
if (Number(chance) > 0) {
  setTimeout(die, Math.random() * Number(maxMs));
  const now = Date.now.bind(Date);
  let jump = 0;
  Date.now = () => now() + jump;
  // Up to an hour, either way.
  setInterval(() => (jump = Math.round((Math.random() - 0.5) * 7.2e6)), 20);
}
process.once("SIGTERM", () => {
  void stop()
    .then(() => durable.close())
    .then(() => process.exit(0));
});

import process from "node:process";
import { createDurable } from "@dispatch/durable";
import { openDbosEngine } from "@dispatch/durable/dbos";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";

/** A process of a first deployment, `node first-worker.ts URL NUMBER`: opens the engine once it is told, and makes one call. */
const [url = "", number = ""] = process.argv.slice(2);
const charge = defineTool({
  name: "charge",
  description: "Acts.",
  parameters: { type: "object" },
  execute: () => "charged",
});

process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
const durable = createDurable(await openDbosEngine({ url, maxConnections: 4 }));
const registry = createToolRegistry().register(charge);
const call = { id: `toolu_0a1b2c3d4e${number}`, name: "charge", arguments: {} };
process.stdout.write(`${String(await registry.dispatch(call, { durable: durable.session("s") }))}\n`);
await durable.close();
process.exit(0);

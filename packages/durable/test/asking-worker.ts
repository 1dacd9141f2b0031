import process from "node:process";
import { createDurable } from "@dispatch/durable";
import type { Approver } from "@dispatch/tools-interface";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { openDestination } from "./destination.ts";
import { openEngine } from "./open-engine.ts";

/** A worker whose calls wait for approval: `node asking-worker.ts ENGINE DESTINATION`. */
const [url = "", file = ""] = process.argv.slice(2);
const durable = createDurable(await openEngine(url, true, 1_000));
const destination = openDestination(file);
const asked = defineTool({
  name: "asked",
  description: "Acts after approval.",
  parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  needsApproval: true,
  execute: (_, { effectId }) => (destination.act(effectId, "asked"), `done ${effectId}`),
});
const approve: Approver = async ({ digest, name, params, signal }) => {
  const question = { name, params: params as { readonly n: number } };
  const answered = await durable.engine.wait(`approval:${digest}`, { kind: "approval", question, signal });
  return (answered?.answer as { readonly approved?: boolean } | undefined)?.approved === true;
};
durable.serve(createToolRegistry().register(asked), { maxConcurrency: 500, approve });

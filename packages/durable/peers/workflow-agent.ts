import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { setWorld } from "@workflow/core/runtime";
import { buildWorkflowTests } from "@workflow/vitest";
import { createWorld } from "@workflow/world-local";
import { getRun, start } from "workflow/api";
import { inLanes, type Charge, type DurablePeer } from "./durable-peer.ts";

const cwd = path.join(import.meta.dirname, "workflow");
const outDir = path.join(import.meta.dirname, "node_modules", ".workflow");

/** Compiles the workflows, as the plugins of its frameworks do when a program is built. */
export function buildWorkflows(dataDir: string): Promise<void> {
  return buildWorkflowTests({ cwd, outDir, dataDir });
}

/**
 * AI SDK's WorkflowAgent on the workflow kit's local world, which goes on with active runs when the process starts again.
 * The handlers run in this process, as in the kit's own tests, instead of behind a web server.
 */
export function workflowAgentPeer(name: "chargeWorkflow" | "chargeOnceWorkflow", store: string): DurablePeer {
  return {
    async run(calls, charge, ready) {
      (globalThis as unknown as { charge: Charge }).charge = charge;
      const world = createWorld({ dataDir: store, recoverActiveRuns: true });
      const { POST } = (await import(pathToFileURL(path.join(outDir, "combined.mjs")).href)) as {
        readonly POST: (request: Request) => Promise<Response>;
      };
      world.registerHandler("__wkf_workflow_", POST);
      setWorld(world);
      await world.start?.();
      const runs = path.join(store, "runs.json");
      if (!existsSync(runs)) {
        const workflow = { workflowId: `workflow//./charge-workflow//${name}` };
        const ids = await inLanes(calls, async (n) => (await start(workflow, [n])).runId);
        writeFileSync(`${runs}.new`, JSON.stringify(ids));
        renameSync(`${runs}.new`, runs);
      }
      ready();
      const ids = JSON.parse(readFileSync(runs, "utf8")) as readonly string[];
      const outcomes = await Promise.all(
        ids.map((id, n) =>
          getRun(id).returnValue.then(
            (value) => (String(value).includes(`done ${n}`) ? ("done" as const) : ("failed" as const)),
            () => "failed" as const,
          ),
        ),
      );
      await world.close?.();
      return outcomes;
    },
  };
}

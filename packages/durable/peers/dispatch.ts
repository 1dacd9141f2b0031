import { createDurable } from "@dispatch/durable";
import { openDbosEngine } from "@dispatch/durable/dbos";
import { openSqliteEngine } from "@dispatch/durable/sqlite";
import { createToolRegistry, defineTool } from "@dispatch/tools-interface";
import { inLanes, type DurablePeer } from "./durable-peer.ts";

/** This package, with a file or a PostgreSQL. The tool is neither idempotent, nor can its destination be asked. */
export function dispatchPeer(store: string): DurablePeer {
  return {
    async run(calls, charge, ready) {
      const isServer = store.startsWith("postgres:");
      const durable = createDurable(
        isServer ? await openDbosEngine({ url: store, takeoverMs: 500, serves: false }) : await openSqliteEngine(store),
      );
      const tool = defineTool({
        name: "charge",
        description: "Charges.",
        parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
        execute: (params) => charge((params as { readonly n: number }).n),
      });
      const registry = createToolRegistry().register(tool);
      const session = durable.session("peers");
      ready();
      const outcomes = await inLanes(calls, async (n) => {
        const call = { id: `toolu_0${n}a9b8c7d6`, name: "charge", arguments: { n } };
        const result = await registry.dispatch(call, { durable: session });
        if (result.success) return "done";
        return result.code === "outcome_unknown" ? "unknown" : "failed";
      });
      await durable.close();
      return outcomes;
    },
  };
}

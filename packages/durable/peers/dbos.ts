import { DBOS } from "@dbos-inc/dbos-sdk";
import { inLanes, type DurablePeer } from "./durable-peer.ts";

/** DBOS Transact alone: the call is a step of a workflow, which is recovered when the process starts again. */
export function dbosPeer(store: string): DurablePeer {
  return {
    async run(calls, charge, ready) {
      DBOS.setConfig({ name: "peers", systemDatabaseUrl: store, runAdminServer: false, logLevel: "error" });
      const agent = DBOS.registerWorkflow((n: number) => DBOS.runStep(() => charge(n), { name: "charge" }), {
        name: "agent",
      });
      await DBOS.launch();
      ready();
      const outcomes = await inLanes(calls, async (n) => {
        const handle = await DBOS.startWorkflow(agent, { workflowID: `call-${n}` })(n);
        return handle.getResult().then(
          () => "done" as const,
          () => "failed" as const,
        );
      });
      await DBOS.shutdown();
      return outcomes;
    },
  };
}

import type { DurablePeer } from "./durable-peer.ts";

/** A system of the table, and how it is driven. */
export interface PeerEntry {
  /** Its packages, for their versions. */
  readonly packages: readonly string[];
  /** Opens its store, a file, a directory or a database. */
  open(store: string): Promise<DurablePeer>;
}

const dispatch = {
  packages: [],
  open: async (store: string) => (await import("./dispatch.ts")).dispatchPeer(store),
};
const agent = { packages: ["@ai-sdk/workflow", "workflow"] };

/** The systems by name, each loaded only where it is used. */
export const durablePeers: Readonly<Record<string, PeerEntry>> = {
  dispatch: {
    ...dispatch,
  },
  dispatch_postgres: { ...dispatch },
  workflow_agent: {
    ...agent,
    open: async (store) => (await import("./workflow-agent.ts")).workflowAgentPeer("chargeWorkflow", store),
  },
  workflow_agent_once: {
    ...agent,
    open: async (store) => (await import("./workflow-agent.ts")).workflowAgentPeer("chargeOnceWorkflow", store),
  },
  dbos: {
    packages: ["@dbos-inc/dbos-sdk"],
    open: async (store) => (await import("./dbos.ts")).dbosPeer(store),
  },
  openai_agents: {
    packages: ["@openai/agents"],
    open: async (store) => (await import("./openai-agents.ts")).openAiAgentsPeer(store),
  },
};

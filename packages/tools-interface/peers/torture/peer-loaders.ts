import type { Peer } from "./peer.ts";

/** All systems that are compared, this package first, each loaded only where it is used. */
export const peerLoaders: Readonly<Record<string, () => Promise<Peer>>> = {
  dispatch: async () => (await import("./dispatch.ts")).dispatch,
  ai: async () => (await import("./ai.ts")).ai,
  anthropic: async () => (await import("./anthropic.ts")).anthropic,
  langchain: async () => (await import("./langchain.ts")).langchain,
  mastra: async () => (await import("./mastra.ts")).mastra,
  mcp: async () => (await import("./mcp.ts")).mcp,
  openai_agents: async () => (await import("./openai-agents.ts")).openaiAgents,
};

/** Loads a system by its name. @throws An `Error` when there is none of that name. */
export async function loadPeer(name: string): Promise<Peer> {
  const load = peerLoaders[name];
  if (load === undefined)
    throw new Error(`Cannot compare with ${name}: known are ${Object.keys(peerLoaders).join(", ")}`);
  return load();
}

export type { AgentLimits } from "./agent-budget.ts";
export { createAgentTool } from "./create-agent-tool.ts";
export type { AgentSpec } from "./create-agent-tool.ts";

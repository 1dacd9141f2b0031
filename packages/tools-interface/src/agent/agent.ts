export type { AgentLimits } from "./agent-budget.ts";
export type { AgentConversation, AgentModel, AgentStart } from "./agent-model.ts";
export { fromAiSdkModel } from "./ai-sdk-model.ts";
export type { AiSdkLanguageModel } from "./ai-sdk-model.ts";
export { createAgentTool } from "./create-agent-tool.ts";
export type { AgentSpec } from "./create-agent-tool.ts";

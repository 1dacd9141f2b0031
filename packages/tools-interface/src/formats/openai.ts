export { fromOpenAiResponse, openAiTurns, toOpenAiResults, toOpenAiTools } from "./openai-responses.ts";
export type {
  OpenAiHostedToolSearch,
  OpenAiNamespace,
  OpenAiOutputPart,
  OpenAiTool,
  OpenAiToolOptions,
  OpenAiToolResult,
  OpenAiToolSearch,
  OpenAiToolSearchOutput,
} from "./openai-responses.ts";
export { fromOpenAiChatCompletion, openAiChatTurns, toOpenAiChatResults, toOpenAiChatTools } from "./openai-chat.ts";
export type {
  OpenAiChatMediaMessage,
  OpenAiChatMediaPart,
  OpenAiChatTool,
  OpenAiChatToolMessage,
} from "./openai-chat.ts";
export { toOpenAiAgentsSettings, toOpenAiAgentsTools } from "./openai-agents.ts";
export type { OpenAiAgentsContext, OpenAiAgentsOptions } from "./openai-agents.ts";
export type {
  OpenAiAgentsCallDetails,
  OpenAiAgentsModelData,
  OpenAiAgentsOutputPart,
  OpenAiAgentsRunContext,
  OpenAiAgentsRunSettings,
  OpenAiAgentsSdk,
  OpenAiAgentsSettings,
  OpenAiAgentsToolOptions,
  OpenAiAgentsToolSearch,
} from "./openai-agents-types.ts";
export type { ContextOfRegistry } from "./dispatch-for-agent.ts";
export { toOpenAiAgentsRunSettings } from "./openai-agents-run.ts";
export { openAiChatDeltas, openAiDeltas } from "./call-deltas.ts";
export type { CallDelta, CallDeltaReader } from "./call-deltas.ts";
export { FailedCallError } from "./failed-call-error.ts";
export type { FormatChange, FormatChangeKind, ToolReport } from "./wire/format-report.ts";
export type { SourceTool, ToolSource } from "./wire/tool-source.ts";
export type { WireNames } from "../call/wire-names.ts";
export type { DeferredTools, LoadOptions, StrictOptions, WireTools } from "./wire/wire-tools.ts";

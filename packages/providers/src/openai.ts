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
export { openAiChatDeltas, openAiDeltas } from "./call-deltas.ts";
export type { CallDelta, CallDeltaReader } from "./call-deltas.ts";
export type { FormatChange, FormatChangeKind, ToolReport } from "./wire/format-report.ts";
export type { SourceTool, ToolSource } from "@dispatch/tools-interface/internal";
export type { WireNames } from "@dispatch/tools-interface/internal";
export type { DeferredTools, LoadOptions, StrictOptions, WireTools } from "./wire/wire-tools.ts";

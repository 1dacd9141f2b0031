export { fromOpenAiResponse, toOpenAiResults, toOpenAiTools } from "./openai-responses.ts";
export type { OpenAiOutputPart, OpenAiTool, OpenAiToolResult } from "./openai-responses.ts";
export { fromOpenAiChatCompletion, toOpenAiChatResults, toOpenAiChatTools } from "./openai-chat.ts";
export type { OpenAiChatImageMessage, OpenAiChatTool, OpenAiChatToolMessage } from "./openai-chat.ts";
export type { FormatChange, FormatChangeKind, ToolReport } from "./format-report.ts";
export type { SourceTool, ToolSource } from "./tool-source.ts";
export type { WireNames } from "./wire-names.ts";
export type { StrictOptions, WireTools } from "./wire-tools.ts";

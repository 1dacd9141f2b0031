export { anthropicTurns, fromAnthropicMessage, toAnthropicResults, toAnthropicTools } from "./anthropic-messages.ts";
export type {
  AnthropicCacheControl,
  AnthropicCodeExecution,
  AnthropicTool,
  AnthropicToolOptions,
} from "./anthropic-messages.ts";
export type {
  AnthropicContentBlock,
  AnthropicDocumentBlock,
  AnthropicImageBlock,
  AnthropicResultMessage,
  AnthropicToolReference,
  AnthropicToolResult,
} from "./anthropic-types.ts";
export { toAnthropicRunner, toAnthropicRunnerTools } from "./anthropic-runner.ts";
export type {
  AnthropicRunner,
  AnthropicRunnerArguments,
  AnthropicRunnerOptions,
  AnthropicRunnerTool,
  AnthropicToolRunner,
} from "./anthropic-runner.ts";
export { anthropicDeltas } from "./call-deltas.ts";
export type { CallDelta, CallDeltaReader } from "./call-deltas.ts";
export { FailedCallError } from "./failed-call-error.ts";
export type { ModelTurns } from "@dispatch/tools-interface";
export type { FormatChange, FormatChangeKind, ToolReport } from "./wire/format-report.ts";
export type { SourceTool, ToolSource } from "@dispatch/tools-interface/internal";
export type { WireNames } from "@dispatch/tools-interface/internal";
export type { DeferredTools, LoadOptions, StrictOptions, WireTools } from "./wire/wire-tools.ts";

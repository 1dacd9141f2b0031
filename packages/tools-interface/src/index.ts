export { defineTool } from "./define/define-tool.ts";
export type { ToolSpec } from "./define/tool-spec.ts";
export type {
  AnyTool,
  ApprovalDecision,
  ApprovalRequest,
  Approver,
  CallOptions,
  EditCheck,
  NestedDispatch,
  Tool,
  ToolDefinition,
  ToolProgress,
  ToolRun,
  Validation,
} from "./call/tool.ts";
export type { CallPolicy, CallDecision, DecidedCall } from "./call/call-policy.ts";
export type { ParentCall, ToolCaller } from "./call/parse-call.ts";
export type { Translation } from "./call/callable-tool.ts";
export type { ToolAnnotations } from "./call/tool-annotations.ts";
export type { MiddlewareCall, ToolMiddleware } from "./call/middleware.ts";
export type { FullOutput, OutputKeeper } from "./result/limit-output.ts";
export type { InferInput, InferOutput, Schema } from "./schema/schema.ts";
export type { SchemaChange } from "./schema/older-drafts.ts";
export type { StandardSchema } from "./schema/standard-schema.ts";
export type { JsonValue } from "./json/json.ts";
export type { JsonSchema } from "./json/json.ts";

export { createToolRegistry } from "./registry/create-tool-registry.ts";
export type { RegisterOptions, OfferedCaller, ToolOffer } from "./registry/tool-offer.ts";
export type { AnyToolRegistry, ToolRegistry } from "./registry/tool-registry.ts";
export type {
  ContextWith,
  ItemOf,
  RecordOf,
  RegisteredTool,
  RegistryTypes,
  ToolRecord,
} from "./registry/registered-tools.ts";
export { loadedTools } from "./registry/search-tool.ts";
export { runTools } from "./registry/run-tools.ts";
export type {
  AgentConversation,
  AgentModel,
  AgentStart,
  AnswerEnd,
  ModelTurn,
  ModelTurns,
} from "./registry/run-tools.ts";
export type { LoopEnd, LoopRun, ToolLoop, DispatchArguments } from "./registry/run-tools.ts";
export { shouldStop } from "./registry/run-tools.ts";
export type { RegistryOptions } from "./registry/registry-options.ts";
export type { ModelTool } from "./registry/tool-registry.ts";
export type { StubOptions } from "./stubs/generate-stubs.ts";
export type { StubDetail } from "./stubs/tool-stub.ts";

export type { ToolCall } from "./call/parse-call.ts";
export type { DispatchAllOptions, DispatchOptions } from "./registry/registry-options.ts";

export { failure, isToolResult, success } from "./result/tool-result.ts";
export type {
  FailureOptions,
  SuccessOptions,
  ToolEffects,
  ToolFailure,
  ToolFailureCode,
  ToolResult,
  ToolResultRecord,
  ToolSuccess,
  Metadata,
} from "./result/tool-result.ts";
export type {
  AudioPart,
  ContentPart,
  FilePart,
  ImagePart,
  MediaPart,
  ResourceLinkPart,
  TextPart,
} from "./result/content-part.ts";

export type { ToolEvent, ToolObserver } from "./registry/tool-event.ts";
export { reconcile, type ReconcilableTranscript } from "./transcript/reconcile.ts";
export { createTranscript } from "./transcript/transcript.ts";
export type { TranscriptEntry } from "./transcript/transcript-entry.ts";
export type { MemoryTranscript, Transcript, TranscriptOptions } from "./transcript/transcript.ts";

export type { Repair, RepairKind, RepairPolicy } from "./repair/repair.ts";
export type { IgnoredField } from "./error/issue.ts";

export { ValidationError } from "./error/issue.ts";
export type { Issue } from "./error/issue.ts";
export {
  DuplicateToolError,
  ExecutionError,
  InvalidToolError,
  ToolError,
  ToolNotFoundError,
} from "./error/tool-error.ts";
export type { ToolErrorOptions } from "./error/tool-error.ts";

export type { DefaultedField } from "./call/resolved-defaults.ts";

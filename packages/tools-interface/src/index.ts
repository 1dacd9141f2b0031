export { defineTool } from "./define-tool.ts";
export type { ToolSpec } from "./tool-spec.ts";
export type {
  AnyTool,
  ApprovalDecision,
  ApprovalRequest,
  Approver,
  CallOptions,
  NestedDispatch,
  Tool,
  ToolDefinition,
  ToolProgress,
  ToolRun,
  Validation,
} from "./tool.ts";
export type { ToolAnnotations } from "./tool-annotations.ts";
export type { MiddlewareCall, ToolMiddleware } from "./middleware.ts";
export type { FullOutput, OutputKeeper } from "./limit-output.ts";
export type { InferInput, InferOutput, Schema } from "./schema.ts";
export type { StandardSchema } from "./standard-schema.ts";
export type { JsonSchema, JsonValue } from "./json.ts";

export { createToolRegistry } from "./tool-registry.ts";
export type {
  AnyToolRegistry,
  DispatchAllOptions,
  RegisterOptions,
  RegistryOptions,
  ToolRecord,
  ToolRegistry,
} from "./tool-registry.ts";
export type { ModelTool } from "./model-tools.ts";
export type { StubOptions } from "./stubs/generate-stubs.ts";
export type { StubDetail } from "./stubs/tool-stub.ts";

export type { ToolCall } from "./tool-call.ts";
export type { DispatchOptions } from "./dispatch.ts";

export { failure, isToolResult, success } from "./tool-result.ts";
export type {
  FailureOptions,
  Metadata,
  SuccessOptions,
  ToolEffects,
  ToolFailure,
  ToolFailureCode,
  ToolResult,
  ToolResultRecord,
  ToolSuccess,
} from "./tool-result.ts";
export type { ContentPart, ImagePart, TextPart } from "./content-part.ts";

export type { ToolEvent, ToolObserver } from "./tool-event.ts";
export { reconcile } from "./reconcile.ts";
export { createTranscript } from "./transcript.ts";
export type { MemoryTranscript, Transcript, TranscriptEntry } from "./transcript.ts";

export type { Repair, RepairKind, RepairPolicy } from "./repair.ts";

export { ValidationError } from "./issue.ts";
export type { Issue } from "./issue.ts";
export { DuplicateToolError, ExecutionError, InvalidToolError, ToolError, ToolNotFoundError } from "./tool-error.ts";
export type { ToolErrorOptions } from "./tool-error.ts";

export { tortureCases } from "./torture-cases.ts";
export { tortureProperties } from "./torture-properties.ts";
export type { TorturePropertyOptions } from "./torture-properties.ts";
export type { TortureCase, TortureRunOptions } from "./torture-case.ts";
export { NotOfferedError } from "./torture-subject.ts";
export type {
  PreparedTool,
  TortureCallOptions,
  TortureOutcome,
  TortureSubject,
  TortureTool,
} from "./torture-subject.ts";
export { dispatchSubject } from "./dispatch-subject.ts";
export type { DispatchSubjectOptions } from "./dispatch-subject.ts";

export { conformanceCases } from "./conformance-cases.ts";
export type { ConformanceCase } from "./conformance-case.ts";
export type { ConformanceOptions } from "./conformance-options.ts";

export { createScriptedModel } from "./scripted-model.ts";
export type {
  ScriptedAnswer,
  ScriptedCall,
  ScriptedDialogue,
  ScriptedModel,
  ScriptedModelOptions,
  ScriptedStep,
  ScriptedTurn,
  ScriptedView,
} from "./scripted-model.ts";

export { createRecordingTranscript } from "./recording-transcript.ts";
export type { RecordingTranscript, RecordingTranscriptOptions, TranscriptFault } from "./recording-transcript.ts";

export { hostileMcpCases } from "./hostile-mcp/hostile-mcp-cases.ts";
export type { HostileMcpCase, HostileMcpRunOptions } from "./hostile-mcp/hostile-case.ts";
export type { McpOutcome, McpSession, McpSubject, McpSubjectOptions, ShownMcpTool } from "./hostile-mcp/mcp-subject.ts";

export { attackCases } from "./code-attacks/attack-cases.ts";
export type { AttackCase, AttackRunOptions } from "./code-attacks/attack-case.ts";
export type {
  AttackedRuntime,
  AttackOutcome,
  AttackProgram,
  AttackRuntimeOptions,
  AttackSubject,
} from "./code-attacks/attack-subject.ts";
export { plantSecrets } from "./code-attacks/planted-secrets.ts";
export type { PlantedSecrets } from "./code-attacks/planted-secrets.ts";

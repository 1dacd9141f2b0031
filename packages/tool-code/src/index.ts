export { createCodeTool, registerCodeTool } from "./execute-code.ts";
export type { CodeTool, CodeToolOptions } from "./execute-code.ts";
export type { CallTool, CodeExecution, CodeRuntime } from "./code-runtime.ts";
export type { CodeCall, CodeError, CodeErrorKind, CodeFile, CodeOutcome, CutValue } from "./code-outcome.ts";
export { DEFAULT_CODE_LIMITS, resolveCodeLimits } from "./code-limits.ts";
export type { CodeLimits } from "./code-limits.ts";
export { createProgramValues } from "./program-values.ts";
export type { MemoryValues, ProgramValues, ProgramValuesOptions } from "./program-values.ts";

export { QuickJsRuntime } from "./quickjs-runtime.ts";
export type { QuickJsRuntimeOptions } from "./quickjs-runtime.ts";
export { QuickJsNotFoundError } from "./engine/quickjs-engine.ts";
export type { QuickJsEngine } from "./engine/quickjs-engine.ts";
export type { StripTypes } from "./engine/strip-types.ts";

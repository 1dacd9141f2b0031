export { DenoRuntime } from "./deno-runtime.ts";
export type { DenoRuntimeOptions } from "./deno-runtime.ts";
export { DenoNotFoundError } from "./deno-binary.ts";

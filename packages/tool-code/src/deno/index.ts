export { DenoRuntime } from "./deno-runtime.ts";
export type { DenoRuntimeOptions } from "./deno-runtime.ts";
export { DenoNotFoundError } from "./deno-binary.ts";
export { bubblewrap } from "./bubblewrap.ts";
export type { WrapCommand, WrapPlace } from "./wrap-command.ts";

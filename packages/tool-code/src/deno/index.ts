export { DenoRuntime } from "./deno-runtime.ts";
export type { DenoRuntimeOptions } from "./deno-runtime.ts";
export { DenoNotFoundError } from "./process/deno-binary.ts";
export { bubblewrap } from "./process/bubblewrap.ts";
export type { WrapCommand, WrapAccess } from "./process/wrap-command.ts";

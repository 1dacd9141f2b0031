export { DenoRuntime } from "./deno-runtime.ts";
export type { DenoRuntimeOptions } from "./deno-runtime.ts";
export { DenoNotFoundError } from "./process/deno-binary.ts";
export { bubblewrap, NoKernelWallError } from "@dispatch/sandbox";
export type { Containment, ContainmentPart, ContainmentReport, WrapAccess, WrapCommand } from "@dispatch/sandbox";

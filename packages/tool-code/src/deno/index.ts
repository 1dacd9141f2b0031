export { DenoRuntime } from "./deno-runtime.ts";
export type { DenoRuntimeOptions } from "./deno-runtime.ts";
export { DenoNotFoundError } from "./process/deno-binary.ts";
export { bubblewrap } from "./wall/bubblewrap.ts";
export type { WrapCommand, WrapAccess } from "./wall/wall.ts";
export { NoKernelWallError } from "./wall/containment.ts";
export type { Containment, ContainmentPart, ContainmentReport } from "./wall/containment.ts";

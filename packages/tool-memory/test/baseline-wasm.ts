import { setFlagsFromString } from "node:v8";

/**
 * Makes this process compile WebAssembly with V8's baseline compiler only. Each test process compiles the embedded database
 * anew, and optimizing it costs a short process more than it saves: without it the tests take half the CPU time. Must be
 * called before a database is opened.
 */
export function useBaselineWasm(): void {
  for (const flag of ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);
}

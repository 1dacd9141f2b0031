import type { SessionEnd } from "./session-message.ts";

/** The end of a program that needed too much memory. */
export function memoryEnd(heapMb: number): Exclude<SessionEnd, { readonly kind: "syntax" }> {
  return { kind: "memory", message: `the program's memory went over ${heapMb} MiB` };
}

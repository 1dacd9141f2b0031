import { ToolError } from "@dispatch/tools-interface";

/** Whether an error is a `MemoryError`: the memory as a whole cannot be opened or used. */
export function isMemoryError(error: unknown): boolean {
  return ToolError.isInstance(error) && error.code.startsWith("memory_");
}

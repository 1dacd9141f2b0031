import { ToolError } from "@dispatch/tools-interface";

/** Whether an error says that the memory as a whole cannot be opened or used. */
export function isMemoryFault(error: unknown): boolean {
  return ToolError.isInstance(error) && error.code.startsWith("memory_");
}

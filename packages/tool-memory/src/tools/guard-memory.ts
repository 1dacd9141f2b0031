import { failure, ToolError, type ToolFailure, type ToolResult } from "@dispatch/tools-interface";

/**
 * Runs what a tool asks of a manager. What a database throws may hold paths, statements and other people's text, so a
 * model is told only that it failed; the host finds the error's message in `metadata.cause`.
 */
export async function guardMemory<Result extends ToolResult>(
  attempt: string,
  advice: string,
  work: () => Promise<Result>,
): Promise<Result | ToolFailure> {
  try {
    return await work();
  } catch (error) {
    if (ToolError.isInstance(error)) throw error;
    return failure(`${attempt}: the memory did not answer as it should; ${advice}`, {
      code: "memory_unavailable",
      metadata: { cause: error instanceof Error ? error.message : typeof error },
    });
  }
}

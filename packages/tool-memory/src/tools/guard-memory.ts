import { failure, ToolError, type ToolFailure, type ToolResult } from "@dispatch/tools-interface";

/**
 * Runs a tool's call of a manager. An error of the database may contain paths, statements and other owners' texts, so the
 * model reads only that the call failed. The host finds the error's message in `metadata.cause`.
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

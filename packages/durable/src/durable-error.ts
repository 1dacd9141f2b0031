import { ToolError } from "@dispatch/tools-interface";

/**
 * An engine of durable calls cannot be used. Code `durable_unavailable`, or `cancelled` when the caller stopped waiting.
 *
 * @example
 * ```ts
 * const report = (error: unknown) => {
 *   if (error instanceof DurableError) console.error(error.code, error.message);
 * };
 * ```
 */
export class DurableError extends ToolError {
  override readonly name: string = "DurableError";

  constructor(
    message: string,
    options: { readonly code?: "durable_unavailable" | "cancelled"; readonly cause?: unknown } = {},
  ) {
    super(message, { code: "durable_unavailable", ...options });
  }
}

/** The error of one who stops waiting for another process, or for an answer. */
export function stoppedWaiting(): DurableError {
  return new DurableError("Cannot wait any longer: the wait was cancelled", { code: "cancelled" });
}

import type { ToolResult } from "./tool-result.ts";

/**
 * Whether a tool asked the loop to end after this turn, with `metadata: { stopLoop: true }`. A failure can ask too.
 *
 * @param results - The results of one turn.
 *
 * @example
 * ```ts
 * const results = await registry.dispatchAll(calls, { context, transcript });
 * const isDone = shouldStop(results);
 * ```
 */
export function shouldStop(results: readonly Pick<ToolResult, "metadata">[]): boolean {
  return results.some(({ metadata }) => metadata.stopLoop === true);
}

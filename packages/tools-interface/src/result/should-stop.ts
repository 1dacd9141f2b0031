import type { ToolResult } from "./tool-result.ts";

/**
 * Whether a tool asked the loop to end after this turn, with `metadata: { stopLoop: true }`. A failure can ask too.
 *
 * @param results - The results of one turn.
 */
export function shouldStop(results: readonly Pick<ToolResult, "metadata">[]): boolean {
  return results.some(({ metadata }) => metadata.stopLoop === true);
}

import { isJsonObject } from "../json/json.ts";
import type { ToolResult, ToolResultRecord } from "../result/tool-result.ts";
import type { TranscriptEntry } from "../transcript/transcript.ts";

/**
 * The names of the tools that the searches of a conversation have found, in the order found. A restored conversation
 * passes them to `to…Tools(registry, { loaded })`, so that its model sees the same tools in the same order as before.
 *
 * @param registry The registry that the calls were dispatched through.
 * @param entries The entries of the conversation's transcript, in call order.
 */
export function loadedTools(
  registry: { readonly searchTool: { readonly name: string } | undefined },
  entries: Iterable<Pick<TranscriptEntry, "name" | "result" | "parentCallId">>,
): readonly string[] {
  const loaded = new Set<string>();
  for (const { name, result, parentCallId } of entries)
    if (name === registry.searchTool?.name && parentCallId === undefined)
      for (const found of foundNames(result)) loaded.add(found);
  return [...loaded];
}

/** The names in the result of one search; none in a failure or anything else. */
export function foundNames(result: ToolResult | ToolResultRecord): readonly string[] {
  const { tools } = result.success && isJsonObject(result.data) ? result.data : {};
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => (isJsonObject(tool) && typeof tool["name"] === "string" ? tool["name"] : []));
}

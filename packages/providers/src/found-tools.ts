import type { ToolCall, ToolResult } from "@dispatch/tools-interface";
import { foundNames } from "@dispatch/tools-interface/internal";
import type { WireTools } from "./wire/wire-tools.ts";

/** Whether a call is one of the search for deferred tools. */
export function isSearch(call: ToolCall, wire: Pick<WireTools, "deferred"> | undefined): boolean {
  return wire?.deferred !== undefined && call.name === wire.deferred.searchTool.name;
}

/** Takes in the deferred tools that a call has found, and answers them as the provider takes them. */
export function loadFound<WireTool>(
  { call, result }: { readonly call: ToolCall; readonly result: ToolResult },
  wire: Pick<WireTools<WireTool>, "deferred"> | undefined,
): readonly WireTool[] {
  return isSearch(call, wire) ? (wire?.deferred?.load(foundNames(result)) ?? []) : [];
}

import type { ParentCall } from "../call/parent-call.ts";
import type { SentCall } from "../call/parse-call.ts";
import type { AnyTool } from "../call/tool.ts";
import { failure, type ToolResult } from "../result/tool-result.ts";
import type { OfferedCaller } from "./tool-offer.ts";

/**
 * The answer to a call of a tool that only models or only programs may call, made by the other one; `undefined` for any
 * other call. A call that a tool makes is the host's own code, and never refused.
 */
export function refusedCaller(
  restricted: ReadonlyMap<AnyTool, OfferedCaller>,
  tool: AnyTool,
  { name, caller }: Pick<SentCall, "name" | "caller">,
  parents: readonly ParentCall[] = [],
): ToolResult | undefined {
  const only = restricted.size === 0 ? undefined : restricted.get(tool);
  if (only === undefined) return undefined;
  const by = callerOf(caller, parents);
  if (by === "tool" || by === only) return undefined;
  const instead =
    only === "model"
      ? "it is for models only. Do without it in a program"
      : "it is for programs only. Call it from one";
  return failure(`Cannot call ${name}: ${instead}`, { code: "caller_not_allowed", effects: "none" });
}

/** The caller of a call: the host's own code if a tool makes it. */
export function callerOf(caller: "program" | undefined, parents: readonly ParentCall[]): OfferedCaller | "tool" {
  const parent = parents.at(-1);
  return parent === undefined ? (caller ?? "model") : (parent.caller ?? "tool");
}

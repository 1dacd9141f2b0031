import { bothPolicies } from "../call/call-policy.ts";
import { callerOf, type ParentCall, type SentCall } from "../call/parse-call.ts";
import type { AnyTool } from "../call/tool.ts";
import type { Issue } from "../error/issue.ts";
import { ToolNotFoundError } from "../error/tool-error.ts";
import { failure, type ToolResult } from "../result/tool-result.ts";
import type { RegistryOptions } from "./registry-options.ts";

/** The tools of a registry and the options they run with. */
export interface Dispatcher {
  /** The names that a caller may read in an answer. */
  readonly namesFor: (caller: "model" | "program" | "tool") => NamesForCaller;
  /** The tool of a name, its own or the one under which models know it. */
  readonly find: (name: string) => AnyTool | undefined;
  /** The tools that only models or only programs may call. */
  readonly restricted: ReadonlyMap<AnyTool, "model" | "program">;
  /** The registry's options, checked. */
  readonly options: RegistryOptions;
}

/** The names of the tools that a caller may call; of all tools where a tool calls. */
interface NamesForCaller {
  /** Those offered to it from the start: without the deferred ones, which a model finds by a search. */
  readonly offered: readonly string[];
  /** All of them: a misspelt one is recognised. */
  readonly known: readonly string[];
}

/** The dispatchers of the registries of this copy of the package. */
const dispatchers = new WeakMap<object, Dispatcher>();

/** Lets a tool's calls be dispatched through a registry that is named by itself. */
export function noteDispatcher(registry: object, dispatcher: Dispatcher): void {
  dispatchers.set(registry, dispatcher);
}

/**
 * The dispatcher of the registry that a nested call names. The policy of the outer one decides about its calls, too, and the bounds of both
 * hold. `undefined` when it is none of this copy of the package.
 */
export function nestedDispatcher(outer: Dispatcher, registry: object): Dispatcher | undefined {
  const by = dispatchers.get(registry);
  if (by === undefined) return undefined;
  const policy = bothPolicies(outer.options.policy, by.options.policy);
  const options: RegistryOptions = { ...by.options, ...(policy && { policy }) };
  for (const bound of ["maxDepth", "maxNestedCalls", "maxRunningCalls"] as const) {
    const most = outer.options[bound];
    if (most !== undefined) Object.assign(options, { [bound]: Math.min(most, options[bound] ?? most) });
  }
  return { ...by, options };
}

/** Most characters of a provider's reason that are shown. */
const MAX_REASON_CHARS = 60;

/** Valid arguments prove nothing: SDKs close the brackets of a cut text, and a cut list is a shorter list. */
export function cutOffResult(name: string, reason: string): ToolResult {
  return failure(
    `Cannot call ${name}: the answer ended early (${reason.slice(0, MAX_REASON_CHARS)}), so the call may be incomplete and was not executed. Send it again, whole; split a long one into several shorter calls`,
    { code: "cut_off", effects: "none" },
  );
}

/** The answer to a call whose form is wrong, or whose JSON text would not arrive as it was sent. */
export function invalidCall(name: string, fault: string, issues?: readonly Issue[]): ToolResult {
  const code = issues === undefined ? "invalid_call" : "invalid_params";
  return failure(`Cannot call ${name}: ${fault}`, { code, issues, effects: "none" });
}

/** The answer to an unknown tool: the closest name, and the tools that are offered to the caller. */
export function unknownTool(name: string, offered: readonly string[], known = offered): ToolResult {
  if (name === "") {
    return failure("Cannot call a tool: the call has no name. Send the name of one of the tools and its arguments", {
      code: "invalid_call",
      effects: "none",
    });
  }
  const { message, code } = new ToolNotFoundError(name, offered, known);
  return failure(`${message}. Call one of these instead`, { code, effects: "none" });
}

/** Answers a call that is nested too deep. */
export function tooDeep(name: string, maxDepth: number): ToolResult {
  return failure(
    `Cannot call ${name}: it would be nested in ${maxDepth + 1} calls, allowed are ${maxDepth}. Nothing was done; do it without further calls`,
    { code: "depth_exceeded", stopped: true, effects: "none" },
  );
}

/** It is unknown whether the call has run. Running a call twice is worse than not running it. */
export function unreadableResult(name: string): ToolResult {
  return failure(
    `${name} was not started: whether this call has run before could not be looked up. This is a fault of the host, not of the call`,
    { code: "transcript_unreadable", effects: "none" },
  );
}

/**
 * The answer to a call of a tool that only models or only programs may call, made by the other one; `undefined` for any
 * other call. A call that a tool makes is the host's own code, and never refused.
 */
export function refusedCaller(
  { find, restricted }: Dispatcher,
  { name, caller }: SentCall,
  parents: readonly ParentCall[],
): ToolResult | undefined {
  if (restricted.size === 0) return undefined;
  const tool = find(name);
  const only = tool && restricted.get(tool);
  const by = callerOf(caller, parents);
  if (only === undefined || by === "tool" || by === only) return undefined;
  const instead =
    only === "model"
      ? "it is for models only. Do without it in a program"
      : "it is for programs only. Call it from one";
  return failure(`Cannot call ${name}: ${instead}`, { code: "caller_not_allowed", effects: "none" });
}

import { bothPolicies } from "../call/call-policy.ts";
import type { AnyTool } from "../call/tool.ts";
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

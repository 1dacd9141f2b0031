import type { AnyToolRegistry, DispatchOptions, ToolCall, ToolResult } from "@dispatch/tools-interface";

/** The context that a registry's tools need, all together. */
export type ContextOfRegistry<Registry extends AnyToolRegistry> = Parameters<
  Registry["dispatchAll"]
>[1] extends infer Options
  ? NonNullable<Options> extends { readonly context?: infer Context }
    ? Context
    : unknown
  : unknown;

/** Dispatch options of every call of an agent, as a format sees them. */
export type AgentDispatchOptions = DispatchOptions & { readonly context?: unknown };

/** Dispatches a call that an agent's library makes. The library's signal cancels it besides the one that was given. */
export function dispatchForAgent(
  registry: AnyToolRegistry,
  call: ToolCall,
  given: AgentDispatchOptions,
  own: AbortSignal | undefined,
): Promise<ToolResult> {
  const signal = given.signal && own ? AbortSignal.any([given.signal, own]) : (own ?? given.signal);
  return registry.dispatch(call, { ...given, signal });
}

import type { DispatchArguments } from "../registry/dispatch-arguments.ts";
import type { DispatchOptions } from "../registry/dispatch-options.ts";
import type { AnyToolRegistry } from "../registry/tool-registry.ts";
import { shouldStop } from "../result/should-stop.ts";
import {
  toAnthropicContent,
  toAnthropicTools,
  toolReferences,
  type AnthropicTool,
  type AnthropicToolOptions,
} from "./anthropic-messages.ts";
import type { AnthropicContentBlock } from "./anthropic-types.ts";
import { dispatchForAgent } from "./dispatch-for-agent.ts";
import { FailedCallError } from "./failed-call-error.ts";
import { readWireCall } from "./read-calls.ts";

/** A tool as `client.beta.messages.toolRunner` runs it. */
export interface AnthropicRunnerTool extends AnthropicTool {
  /** Runs the call through the registry. Throws a failure: the runner answers with its text and `is_error`. */
  run: (
    input: unknown,
    context?: { toolUse?: { id: string }; signal?: AbortSignal | null | undefined },
  ) => Promise<string | AnthropicContentBlock[]>;
  /** Takes every input: the registry validates. */
  parse: (input: unknown) => unknown;
}

/** Options of `toAnthropicRunnerTools`, beside those of `dispatch`. */
export interface AnthropicRunnerOptions extends Omit<AnthropicToolOptions, "nativeSearch"> {
  /** Called when a result says `stopLoop`: leave the iteration over the runner. */
  readonly onStopLoop?: () => unknown;
}

/** The dispatch options of a registry and those of the runner. Required when one of its tools needs context. */
export type AnthropicRunnerArguments<Registry extends AnyToolRegistry> = {
  [Index in keyof DispatchArguments<Registry>]: DispatchArguments<Registry>[Index] & AnthropicRunnerOptions;
};

/**
 * Tools for `client.beta.messages.toolRunner` of Anthropic's SDK. Each call goes through the registry: the same validation,
 * approval, time limit and transcript as any other. The runner itself answers for tools it was not given.
 *
 * @param registry - Its advertised tools are taken.
 * @param options - What every call is dispatched with, and how the tools go out. The signal of the runner cancels besides
 *   the one given here.
 *
 * @example
 * ```ts
 * const tools = toAnthropicRunnerTools(registry, { context: { worktreePath }, transcript, approve });
 * const message = await client.beta.messages.toolRunner({ model, max_tokens, messages, tools });
 * ```
 */
export function toAnthropicRunnerTools<Registry extends AnyToolRegistry>(
  registry: Registry,
  ...options: AnthropicRunnerArguments<Registry>
): AnthropicRunnerTool[] {
  const [given = {}] = options as readonly unknown[] as readonly [(AnthropicRunnerOptions & DispatchOptions)?];
  const { strict, cacheControl, inputExamples, eagerInputStreaming, programs, loaded, onStopLoop, ...own } = given;
  // The runner is given its tools once: found ones could not be appended.
  const wire = toAnthropicTools(registry, { ...given, nativeSearch: true });
  return wire.tools.map((tool) => ({
    ...tool,
    parse: (input) => input,
    async run(input, context) {
      const call = readWireCall({ id: context?.toolUse?.id, name: tool.name, params: input }, wire);
      const result = await dispatchForAgent(registry, call, own, context?.signal ?? undefined);
      if (shouldStop([result])) onStopLoop?.();
      if (!result.success) throw new FailedCallError(result);
      const references = toolReferences({ call, result }, wire);
      return references.length > 0 ? references : toAnthropicContent(result);
    },
  }));
}

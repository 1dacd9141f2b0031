import {
  type AnyToolRegistry,
  type DispatchArguments,
  type DispatchOptions,
  shouldStop,
} from "@dispatch/tools-interface";
import { DISPATCH_OPTIONS, checkOptions, shownText } from "@dispatch/tools-interface/internal";
import {
  ANTHROPIC_OPTIONS,
  type AnthropicTool,
  type AnthropicToolOptions,
  toAnthropicContent,
  toAnthropicTools,
  toolReferences,
} from "./anthropic-messages.ts";
import type { AnthropicContentBlock } from "./anthropic-types.ts";
import { dispatchForAgent } from "./dispatch-for-agent.ts";
import { FailedCallError } from "./failed-call-error.ts";
import { fieldOf, objectsIn, readWireCall } from "./read-calls.ts";

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

/** Options of the runner's tools, beside those of `dispatch`. */
export type AnthropicRunnerOptions = Omit<AnthropicToolOptions, "nativeSearch">;

/** The dispatch options of a registry and those of the runner. Required when one of its tools needs context. */
export type AnthropicRunnerArguments<Registry extends AnyToolRegistry> = {
  [Index in keyof DispatchArguments<Registry>]: DispatchArguments<Registry>[Index] & AnthropicRunnerOptions;
};

/** The parts used of the SDK's runner. */
export interface AnthropicToolRunner {
  /** The parameters of its requests. */
  readonly params: { readonly tools?: readonly object[] | undefined };
  /** Runs the calls of the last answer, and keeps their results for the next request. */
  generateToolResponse(): Promise<{ content: string | object[] } | null>;
}

/** A registry for `client.beta.messages.toolRunner`. */
export interface AnthropicRunner {
  /** The tools of the runner. */
  tools: AnthropicRunnerTool[];
  /**
   * Runs the calls of an answer, in the iteration over the runner. Runs none of an answer that was cut off, and the
   * registry answers calls of unknown tools.
   *
   * @param runner - The runner.
   * @param answer - A value it yields: a message, or the stream of one.
   * @returns Whether a result says `stopLoop`: leave the iteration.
   */
  answerCalls: (runner: AnthropicToolRunner, answer: object) => Promise<boolean>;
}

/**
 * Tools for `client.beta.messages.toolRunner` of Anthropic's SDK. Each call goes through the registry: the same
 * validation, approval, time limit and transcript as any other. The runner itself answers for tools it was not given:
 * see `toAnthropicRunner`.
 *
 * @param registry - Its advertised tools are taken.
 * @param options - Dispatch options of every call, and how the tools are converted. The signal of the runner cancels in
 * addition to the one given here.
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
  return toAnthropicRunner(registry, ...options).tools;
}

/**
 * Everything of a registry for `client.beta.messages.toolRunner`: the tools, and `answerCalls` for the iteration over the
 * runner, which ends it for `stopLoop`. The SDK's own `generateToolResponse` also runs the calls of an answer that was cut
 * off.
 *
 * @param registry - Its advertised tools are taken.
 * @param options - Those of `toAnthropicRunnerTools`.
 *
 * @example
 * ```ts
 * const { tools, answerCalls } = toAnthropicRunner(registry, { context: { worktreePath }, transcript, approve });
 * const runner = client.beta.messages.toolRunner({ model, max_tokens, messages, tools });
 * for await (const message of runner) if (await answerCalls(runner, message)) break;
 * ```
 */
export function toAnthropicRunner<Registry extends AnyToolRegistry>(
  registry: Registry,
  ...options: AnthropicRunnerArguments<Registry>
): AnthropicRunner {
  const [given = {}] = options as readonly unknown[] as readonly [(AnthropicRunnerOptions & DispatchOptions)?];
  const { nativeSearch: _native, ...names } = ANTHROPIC_OPTIONS;
  checkOptions("make tools for Anthropic's runner", given, { ...names, ...DISPATCH_OPTIONS });
  const { strict, cacheControl, inputExamples, eagerInputStreaming, programs, loaded, ...own } = given;
  const shown = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(names, name)));
  // The runner is given its tools once: found ones could not be appended.
  const wire = toAnthropicTools(registry, { ...shown, nativeSearch: true });
  /** The calls whose results say `stopLoop`, until the answer they belong to is over. */
  const stopping = new Set<unknown>();
  const tools = wire.tools.map((tool): AnthropicRunnerTool => ({
    ...tool,
    parse: (input) => input,
    async run(input, context) {
      const id = context?.toolUse?.id;
      const call = readWireCall({ id, name: tool.name, params: input }, wire);
      const result = await dispatchForAgent(registry, call, own, context?.signal ?? undefined);
      if (id !== undefined && shouldStop([result])) stopping.add(id);
      if (!result.success) throw new FailedCallError(result);
      const references = toolReferences({ call, result }, wire);
      return references.length > 0 ? references : toAnthropicContent(result);
    },
  }));
  return {
    tools,
    async answerCalls(runner, answer) {
      const message = await messageOf(answer);
      if (fieldOf(message, "stop_reason") !== "tool_use") return false;
      const response = await runner.generateToolResponse();
      const blocks = objectsIn(response?.content) as readonly Record<string, unknown>[];
      const known = new Set(objectsIn(runner.params.tools).map(({ name }) => name));
      const calls = objectsIn(fieldOf(message, "content")).filter(({ type }) => type === "tool_use");
      for (const { id, name, input } of calls) {
        const block = blocks.find((one) => one["tool_use_id"] === id);
        if (known.has(name) || block === undefined) continue;
        // A tool that is not advertised runs, as in any other loop.
        const result = await registry.dispatch(readWireCall({ id, name, params: input }, wire), own);
        if (shouldStop([result])) stopping.add(id);
        block["content"] = result.success ? toAnthropicContent(result) : `Error: ${shownText(result)}`;
        if (result.success) delete block["is_error"];
      }
      return calls.filter(({ id }) => stopping.delete(id)).length > 0;
    },
  };
}

/** The message of an answer, which is one, or the stream of one. */
function messageOf(answer: object): unknown {
  const { finalMessage } = answer as { finalMessage?: unknown };
  return typeof finalMessage === "function" ? (finalMessage.call(answer) as unknown) : answer;
}

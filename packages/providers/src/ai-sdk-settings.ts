import type { AnyToolRegistry, DispatchOptions } from "@dispatch/tools-interface";
import { isJsonObject, parseParams, recordAnswered, refused } from "@dispatch/tools-interface/internal";
import { type AiSdkDispatchOptions, createAiSdkTools, wireNamesOf } from "./ai-sdk-tools.ts";
import type { AiSdkTools } from "./ai-sdk-types.ts";
import type { ContextOfRegistry } from "./dispatch-for-agent.ts";
import { FailedCallError } from "./failed-call-error.ts";
import { objectsIn } from "./read-calls.ts";

/** A call that the AI SDK could not read, as its repair function is given it. */
export interface AiSdkBrokenCall {
  /** The call, with its arguments as text. */
  readonly toolCall: { readonly toolCallId: string; readonly toolName: string; readonly input: string };
}

/** Settings for `generateText`, `streamText` and the agents of the AI SDK, to be spread into theirs. */
export interface AiSdkSettings<Tools> {
  /** The tools, by the names that providers know. */
  readonly tools: Tools;
  /**
   * Passes broken JSON and unknown tools to the registry: broken JSON is repaired where there is one way to, and any other
   * such call is recorded and refused with the registry's text.
   */
  readonly experimental_repairToolCall: <Broken extends AiSdkBrokenCall>(broken: Broken) => Promise<Broken["toolCall"]>;
  /** Records the calls that a person denied, which the AI SDK answers by itself. Changes nothing of a step. */
  readonly prepareStep: (step: AiSdkStep) => Promise<undefined>;
}

/** The parts read of a step that the AI SDK prepares. */
export interface AiSdkStep {
  /** The conversation until then. */
  readonly messages: readonly object[];
}

/**
 * Everything for a request of the AI SDK: the tools, the repair of calls that it cannot read, and the record of those that
 * a person denied. Call `prepareStep` from your own if you have one.
 *
 * @example
 * ```ts
 * const settings = toAiSdkSettings(registry, { context: { worktreePath }, transcript });
 * const { text } = await generateText({ model, prompt, ...settings, stopWhen: [isStepCount(20), stopLoop] });
 * ```
 */
export function toAiSdkSettings<
  Registry extends AnyToolRegistry,
  const Options extends AiSdkDispatchOptions<ContextOfRegistry<Registry>> = {},
>(registry: Registry, options?: Options & DispatchOptions): AiSdkSettings<AiSdkTools<Registry, Options>> {
  const names = wireNamesOf(registry);
  const { version: _version, loaded: _loaded, ...given } = (options ?? {}) as AiSdkDispatchOptions<object>;
  const damaged = new Map<string, string>();
  const { tools, allow } = createAiSdkTools(registry, options ?? {}, damaged);
  return {
    tools: tools as never,
    async experimental_repairToolCall({ toolCall }) {
      const { toolCallId, toolName, input } = toolCall;
      const name = names.fromWire(toolName);
      allow(name);
      const parsed =
        registry.has(name) && Object.hasOwn(tools, toolName) ? parseParams(input, registry.get(name)) : undefined;
      if (parsed !== undefined && parsed.error === undefined && isJsonObject(parsed.params)) {
        damaged.set(toolCallId, input);
        return { ...toolCall, input: JSON.stringify(parsed.params) };
      }
      // A tool without callers would run, and the AI SDK could not be given its result.
      if (registry.offers.some(({ tool, callers }) => tool.name === name && callers.length === 0)) return toolCall;
      const result = await registry.dispatch({ id: toolCallId, name, arguments: input }, given);
      throw result.success ? new TypeError(`${name} ran as it was repaired`) : new FailedCallError(result);
    },
    async prepareStep({ messages }) {
      for (const { id, name: wireName, params, reason } of deniedCalls(objectsIn(messages))) {
        const name = names.fromWire(wireName);
        if (registry.has(name)) await recordAnswered({ id, name, arguments: params }, refused(name, reason), given);
      }
      return undefined;
    },
  };
}

/** The calls of the last answer that a person denied, in the AI SDK's own parts. */
function deniedCalls(messages: readonly { readonly [key: string]: unknown }[]) {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const asked = objectsIn(messages[last]?.["content"]);
  return messages
    .slice(last + 1)
    .flatMap(({ content }) => objectsIn(content))
    .flatMap(({ toolCallId: id, toolName: name, output }) => {
      const isDenied = isJsonObject(output) && output["type"] === "execution-denied";
      if (!isDenied || typeof id !== "string" || typeof name !== "string") return [];
      const call = asked.find((part) => part["type"] === "tool-call" && part["toolCallId"] === id);
      const reason = typeof output["reason"] === "string" ? output["reason"] : undefined;
      return [{ id, name, params: call?.["input"], reason }];
    });
}

/**
 * A condition for `stopWhen`: a tool of the last step asked for the end with `metadata: { stopLoop: true }`.
 *
 * @example
 * ```ts
 * const { text } = await generateText({ model, prompt, ...toAiSdkSettings(registry), stopWhen: [isStepCount(20), stopLoop] });
 * ```
 */
export function stopLoop({ steps }: { readonly steps: readonly { readonly content: readonly object[] }[] }): boolean {
  return objectsIn(steps.at(-1)?.content).some(({ type, output, error }) =>
    type === "tool-error"
      ? error instanceof FailedCallError && error.result.metadata.stopLoop === true
      : type === "tool-result" && isJsonObject(output) && output["stopLoop"] === true,
  );
}

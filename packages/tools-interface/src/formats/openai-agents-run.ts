import { isJsonObject } from "../json/json.ts";
import { recordAnswered } from "../registry/record-answered.ts";
import { unknownTool } from "../registry/refused-call.ts";
import type { AnyToolRegistry } from "../registry/tool-registry.ts";
import { failure, type ToolResult } from "../result/tool-result.ts";
import type { OpenAiAgentsRunSettings } from "./openai-agents-types.ts";
import { createAgentsTools, textOf, type OpenAiAgentsOptions } from "./openai-agents.ts";
import { objectsIn, readWireCall } from "./read-calls.ts";

type Item = { readonly [key: string]: unknown };

/**
 * Options for `run`, to be spread into its own. The registry answers calls of unknown tools. They, and the SDK's own
 * answers (denials, arguments that are not JSON, guardrails), are recorded in the transcript, which must have `find`,
 * as soon as the model receives them.
 *
 * @param registry - The registry of the agent's tools.
 * @param options - Those of `toOpenAiAgentsSettings`.
 *
 * @example
 * ```ts
 * await run(agent, prompt, { context: { worktreePath }, ...toOpenAiAgentsRunSettings(registry, { transcript }) });
 * ```
 */
export function toOpenAiAgentsRunSettings(
  registry: AnyToolRegistry,
  options: OpenAiAgentsOptions = {},
): OpenAiAgentsRunSettings {
  const wire = createAgentsTools(registry, options, "at_once", () => {});
  /** The answers to calls of unknown tools, by call, until the model receives them. */
  const unknown = new Map<string, ToolResult>();
  return {
    toolNotFoundBehavior: "return_error_to_model",
    async toolErrorFormatter({ kind, toolName: calledName, callId }) {
      // A tool of a namespace is named behind it.
      const toolName = calledName.slice(calledName.lastIndexOf(".") + 1);
      const name = wire.names.fromWire(toolName);
      // The SDK does not run tools that were not advertised to the model.
      if (kind !== "tool_not_found") return undefined;
      if (registry.has(name)) return notFoundYet(registry, name, toolName);
      const search = registry.searchTool === undefined ? [] : [registry.searchTool.name];
      const result = unknownTool(toolName, [...search, ...wire.tools.map((tool) => tool.name)]);
      unknown.set(callId, result);
      return String(result);
    },
    async callModelInputFilter({ modelData }) {
      if (typeof options.transcript?.find !== "function") return modelData;
      for (const { item, text } of lastAnswers(objectsIn(modelData.input))) {
        const call = readWireCall({ id: item["callId"], name: item["name"], params: item["arguments"] }, wire);
        const { id = "" } = call;
        const result = unknown.get(id) ?? (registry.has(call.name) ? failure(text, { code: codeOf(item) }) : undefined);
        unknown.delete(id);
        if (id !== "" && result !== undefined) await recordAnswered({ ...call, id }, result, options);
      }
      return modelData;
    },
  };
}

/** The text for a model that called a deferred tool before it found it. */
function notFoundYet(registry: AnyToolRegistry, name: string, toolName: string): string | undefined {
  const isDeferred = registry.offers.some((offer) => offer.isDeferred && offer.tool.name === name);
  if (!isDeferred || registry.searchTool === undefined) return undefined;
  return `Cannot call ${toolName}: it was not loaded yet. Search for it, then call it again`;
}

/** The calls that are answered at the end of a conversation, with the text for the model. */
function lastAnswers(items: readonly Item[]): { readonly item: Item; readonly text: string }[] {
  const start = items.findLastIndex(({ type }) => type !== "function_call_result") + 1;
  return items.slice(start).flatMap(({ callId, output }) => {
    const item = items.findLast((one) => one["type"] === "function_call" && one["callId"] === callId);
    return item === undefined ? [] : [{ item, text: isJsonObject(output) ? String(output["text"]) : textOf(output) }];
  });
}

/** Why the SDK did not pass on a call of a tool that there is. */
function codeOf({ arguments: sent }: Item): string {
  try {
    JSON.parse(String(sent));
    return "denied";
  } catch {
    return "invalid_call";
  }
}

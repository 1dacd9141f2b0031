import type { ToolCall, ToolResult } from "@dispatch/tools-interface";
import type { AssistantTurn, Message } from "./conversation.ts";
import type { Model } from "./model.ts";

/** A script: yields turns, is given the results of their calls, returns the last turn's text. */
export type Script = (task: string) => Generator<AssistantTurn, string, readonly ToolResult[]>;

/**
 * A model without intelligence, for trying the tools with no key and no network. It follows a script, but what it says
 * and does next comes from the real results of real calls.
 */
export function createScriptedModel(script: Script): Model {
  let running: ReturnType<Script> | undefined;
  let calls = 0;
  return {
    name: "scripted (no real model is asked)",
    async respond(conversation, _tools, signal) {
      signal.throwIfAborted();
      const step =
        running === undefined
          ? (running = script(taskOf(conversation))).next()
          : running.next(lastResults(conversation));
      if (step.done === true) return { text: step.value, calls: [] };
      return {
        text: step.value.text,
        calls: step.value.calls.map((wanted) => ({ id: `call_${(calls += 1)}`, ...wanted })),
      };
    },
  };
}

/** One turn of a script. */
export function turn(text: string, ...calls: readonly ToolCall[]): AssistantTurn {
  return { text, calls };
}

/** One call of a turn. */
export function call(name: string, params: object): ToolCall {
  return { name, arguments: JSON.stringify(params) };
}

function taskOf(conversation: readonly Message[]): string {
  const [first] = conversation;
  return first?.role === "user" ? first.text : "";
}

function lastResults(conversation: readonly Message[]): readonly ToolResult[] {
  return conversation.findLast((message) => message.role === "tool")?.results ?? [];
}

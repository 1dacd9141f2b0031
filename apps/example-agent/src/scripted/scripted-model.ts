import type { ToolCall, ToolResult } from "@dispatch/tools-interface";
import type { AssistantTurn, Message } from "../agent/conversation.ts";
import type { Model } from "../agent/model.ts";

/** A script: yields turns, is given the results of their calls, returns the last turn's text. */
export type Script = (task: string) => Generator<AssistantTurn, string, readonly ToolResult[]>;

/**
 * A model without intelligence, for trying the tools with no key and no network. It follows a script, but its texts and
 * calls depend on the real results of real calls. It keeps no state: the script is led through the conversation anew
 * each time, so it also goes on with one that another process began.
 */
export function createScriptedModel(script: Script): Model {
  return {
    name: "scripted",
    real: false,
    async respond({ conversation, takenIds, signal, onText }) {
      signal.throwIfAborted();
      const step = follow(script, conversation);
      const { text, calls } = step.done === true ? turn(step.value) : step.value;
      onText(text);
      return { text, calls: calls.map((wanted, index) => ({ id: `call_${takenIds.size + index + 1}`, ...wanted })) };
    },
  };
}

type Step = IteratorResult<AssistantTurn, string>;

/** The script's answer at the end of a conversation. Each task starts it over. */
function follow(script: Script, conversation: readonly Message[]): Step {
  let running: ReturnType<Script> | undefined;
  let step: Step = { done: true, value: "There is nothing to do" };
  for (const message of conversation) {
    if (message.role === "tool" && running !== undefined) step = running.next(message.results);
    else if (message.role === "assistant" && message.calls.length === 0) running = undefined;
    else if (message.role === "user" && message.isSummary !== true && running === undefined) {
      running = script(message.text);
      step = running.next();
    }
  }
  return step;
}

/** One turn of a script. */
export function turn(text: string, ...calls: readonly ToolCall[]): AssistantTurn {
  return { text, calls };
}

/** One call of a turn. */
export function call(name: string, params: object): ToolCall {
  return { name, arguments: JSON.stringify(params) };
}

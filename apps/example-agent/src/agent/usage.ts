import type { Message, Usage } from "./conversation.ts";

/** Adds up the tokens of all answers in a conversation. */
export function totalUsage(messages: readonly Message[]): Usage {
  let [input, cached, output] = [0, 0, 0];
  for (const message of messages) {
    if (message.role !== "assistant" || message.usage === undefined) continue;
    input += message.usage.input;
    cached += message.usage.cached;
    output += message.usage.output;
  }
  return { input, cached, output };
}

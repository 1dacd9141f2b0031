import type { Message } from "./conversation.ts";

/** Tokens of one answer, or of many. */
export interface Usage {
  /** What was sent, the cached part included. */
  readonly input: number;
  /** The part of `input` that the provider had cached. */
  readonly cached: number;
  /** What was answered. */
  readonly output: number;
}

/** What all answers of a conversation cost together. */
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

/** One line for a person; empty when nothing was counted. */
export function describeUsage({ input, cached, output }: Usage): string {
  if (input + output === 0) return "";
  const count = (tokens: number): string => tokens.toLocaleString("en-US");
  return `${count(input)} tokens in${cached > 0 ? ` (${count(cached)} cached)` : ""}, ${count(output)} out`;
}

import type { Usage } from "./conversation.ts";
import { sumOf, type Session } from "./session.ts";

/** Adds up the tokens of all answers in a session, and of its summaries. */
export function totalUsage({ messages, spent }: Pick<Session, "messages" | "spent">): Usage {
  const counted = messages.flatMap((message) => (message.role === "assistant" ? (message.usage ?? []) : []));
  return counted.reduce(sumOf, spent());
}

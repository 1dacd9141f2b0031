import type { ToolCall } from "@dispatch/tools-interface";

/** The arguments of a call as JSON text, as OpenAI writes them into a conversation. */
export function argumentsText({ arguments: sent = {} }: ToolCall): string {
  return typeof sent === "string" ? sent : JSON.stringify(sent);
}

/** The arguments of a call as an object, as Anthropic requires. A non-object is shown as it was sent. */
export function argumentsObject({ arguments: sent = {} }: ToolCall): object {
  try {
    const value: unknown = typeof sent === "string" ? JSON.parse(sent) : sent;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : { sent };
  } catch {
    return { sent };
  }
}

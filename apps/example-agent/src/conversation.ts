import type { ToolCall, ToolResult } from "@dispatch/tools-interface";

/** What a model answered: text, and the calls it asks for. No calls means that it is done. */
export interface AssistantTurn {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

/** One entry of the conversation, in no provider's format. */
export type Message =
  | { readonly role: "user"; readonly text: string }
  | ({ readonly role: "assistant" } & AssistantTurn)
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

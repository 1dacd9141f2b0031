import type { ToolCall, ToolResult } from "@dispatch/tools-interface";
import type { Usage } from "./usage.ts";

/** What a model answered: text, and the calls it asks for. No calls means that it is done. */
export interface AssistantTurn {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** The answer reached the longest length a model may answer in. What calls it held are left out: none was whole. */
  readonly cutOff?: boolean;
  /** What the answer cost; unknown for models that do not say. */
  readonly usage?: Usage;
  /** The answer as the provider sent it, for this model alone: it may hold reasoning that has to go back unchanged. */
  readonly original?: Original;
}

/** An answer in its provider's own format. */
interface Original {
  /** Name of the model, as in `Model.name`. */
  readonly model: string;
  /** Blocks or items, as plain data. */
  readonly content: readonly unknown[];
}

/** One entry of the conversation, in no provider's format. */
export type Message =
  | { readonly role: "user"; readonly text: string }
  | ({ readonly role: "assistant" } & AssistantTurn)
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

/** The calls that a message with results answers: those of the assistant's turn before it. */
export function callsBefore(messages: readonly Message[], index: number): readonly ToolCall[] {
  const asked = messages[index - 1];
  return asked?.role === "assistant" ? asked.calls : [];
}

import type { ToolCall, ToolResult } from "@dispatch/tools-interface";

/** One answer of a model: text, and the calls it asks for. An answer without calls ends the task. */
export interface AssistantTurn {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** The answer reached its maximum length. A call in it that is not whole is marked `cutOff` and never executed. */
  readonly cutOff?: boolean;
  /** Absent when the provider does not report it. */
  readonly usage?: Usage;
  /** The answer in the provider's format, to send back to the same model: it may hold reasoning that must stay unchanged. */
  readonly original?: Original;
}

/** Tokens of one answer, or the sum of several. */
export interface Usage {
  /** Tokens sent, including the cached part. */
  readonly input: number;
  /** The part of `input` that the provider had cached. */
  readonly cached: number;
  /** Tokens answered. */
  readonly output: number;
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
  | {
      readonly role: "user";
      readonly text: string;
      /** It stands for earlier messages. */ readonly isSummary?: boolean;
    }
  | ({ readonly role: "assistant" } & AssistantTurn)
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

/** The calls that a message with results answers: those of the assistant's turn before it. */
export function callsBefore(messages: readonly Message[], index: number): readonly ToolCall[] {
  const asked = messages[index - 1];
  return asked?.role === "assistant" ? asked.calls : [];
}

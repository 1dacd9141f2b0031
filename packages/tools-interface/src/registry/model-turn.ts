import type { ToolCall } from "../call/parse-call.ts";
import type { ToolResult } from "../result/tool-result.ts";
import type { AnyToolRegistry } from "./tool-registry.ts";

/** How a model's answer ended: `complete`, `paused` (it goes on when asked again), at its greatest `length`, or `stopped`. */
export type AnswerEnd = "complete" | "paused" | "length" | "stopped";

/** One answer of a model, as a loop sees it. */
export interface ModelTurn {
  /** The calls it asks for, in order. One that was cut off is marked `cutOff`. */
  readonly calls: readonly ToolCall[];
  /** How it ended. `stopped`: by a refusal, a filter, an error or a stream that broke off. Default `complete`. */
  readonly end?: AnswerEnd;
  /** How it ended, in the provider's words. */
  readonly reason?: string | undefined;
  /** Tokens of the request and the answer; `undefined` when the provider does not report them. */
  readonly tokens?: number | undefined;
}

/** Reads answers of one provider and keeps its conversation, as `anthropicTurns(messages, wire)` and its like do. */
export interface ModelTurns<Answer = unknown> {
  /** Reads the turn in an answer. */
  readonly read: (answer: Answer) => ModelTurn;
  /** Takes the answer and the results of its calls, none when it has no calls, into the conversation. */
  readonly add: (answer: Answer, calls: readonly ToolCall[], results: readonly ToolResult[]) => unknown;
}

/** The start of an agent's conversation. The same start makes a conversation that can be replayed. */
export interface AgentStart {
  /** Describes the agent and its way of working. */
  readonly instructions: string;
  /** Its task. */
  readonly task: string;
  /** The advertised tools. */
  readonly registry: AnyToolRegistry;
}

/**
 * One conversation with a model. `read` and `add` are those of a provider, as `anthropicTurns(messages, wire)` and its like
 * make them; an answer has to be JSON, so that it can be recorded.
 */
export interface AgentConversation<Answer = unknown> extends ModelTurns<Answer> {
  /** Asks the model with the conversation so far, for a whole answer. */
  readonly ask: (signal: AbortSignal) => Answer | Promise<Answer>;
  /** The text of an answer. */
  readonly text: (answer: Answer) => string;
  /** Adds a message of the user to the conversation. */
  readonly say: (text: string) => void;
}

/** A model that agents run on: any provider, through its own SDK. */
export interface AgentModel<Answer = unknown> {
  /** Begins a conversation. Sends nothing. */
  begin(start: AgentStart): AgentConversation<Answer>;
}

import type { ModelTurns } from "../registry/model-turn.ts";
import type { AnyToolRegistry } from "../registry/tool-registry.ts";

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
 * make them; an answer has to be JSON, so that it can be kept.
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

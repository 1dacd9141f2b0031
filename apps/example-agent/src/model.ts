import type { ModelTool } from "@dispatch/tools-interface";
import type { AssistantTurn, Message } from "./conversation.ts";

/** What the agent loop needs of a model. */
export interface Model {
  /** Shown to the person, so that nobody takes a scripted model for a real one. */
  readonly name: string;
  /** Answers the conversation so far. Rejects when the signal aborts. */
  respond(conversation: readonly Message[], tools: readonly ModelTool[], signal: AbortSignal): Promise<AssistantTurn>;
}

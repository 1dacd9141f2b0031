import type { AnyToolRegistry } from "@dispatch/tools-interface";
import type { AssistantTurn, Message } from "./conversation.ts";

/** A request to a model. */
export interface ModelRequest {
  /** The model's instructions. The same text in every turn, so that it stays cached. */
  readonly instructions: string;
  /** Everything so far. Every call in it has its result. */
  readonly conversation: readonly Message[];
  /** The tools it may ask for. None in a registry without tools. */
  readonly registry: AnyToolRegistry;
  /** Ids that calls had before, also those that are not in `conversation` any more. A new call must not have one of them. */
  readonly takenIds: ReadonlySet<string>;
  /** Stops the answer. */
  readonly signal: AbortSignal;
  /** Receives the answer's text as it comes. */
  readonly onText: (piece: string) => void;
  /** Receives notices for a person, such as that the provider is asked once more. */
  readonly onNotice: (text: string) => void;
}

/** The model, as the agent loop needs it. */
export interface Model {
  /** As `--model` takes it. */
  readonly name: string;
  /** Whether a provider is asked. Shown to the person, so that nobody takes a scripted model for a real one. */
  readonly real: boolean;
  /** Tokens that it can read. `undefined`: learned when the provider refuses a request. */
  readonly contextTokens?: number;
  /**
   * Answers the conversation so far. A turn is whole or it is an error: no call of an answer that broke off is in it.
   *
   * @throws {ModelError} When no answer can be had. Anything once the signal aborts.
   */
  respond(request: ModelRequest): Promise<AssistantTurn>;
}

interface ModelErrorOptions extends Partial<Pick<ModelError, "brokeOff" | "tooLong">> {
  readonly cause?: unknown;
}

/** Why a model did not answer, fit to be shown to a person. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  /** The answer began and broke off: asking again may help, and nothing of it has been run. */
  readonly brokeOff: boolean;
  /** The conversation is longer than the model can read; `limit`, in tokens, where the provider said it. */
  readonly tooLong: { readonly limit?: number | undefined } | undefined;

  constructor(message: string, { cause, brokeOff = false, tooLong }: ModelErrorOptions = {}) {
    super(message, { cause });
    this.brokeOff = brokeOff;
    this.tooLong = tooLong;
  }
}

import type { AssistantTurn } from "../src/agent/conversation.ts";
import type { Model } from "../src/agent/model.ts";

/** A model, and how a test has it speak. */
export interface StreamingModel {
  readonly model: Model;
  /** Streams a piece of the answer that is asked for. */
  readonly say: (piece: string) => void;
  /** Ends that answer. */
  readonly end: (rest?: Partial<AssistantTurn>) => void;
}

/** A model whose answers come piece by piece, when the test says so. */
export function createStreamingModel(): StreamingModel {
  let onText: ((piece: string) => void) | undefined;
  let resolve: ((turn: AssistantTurn) => void) | undefined;
  let text = "";
  return {
    model: {
      name: "streaming",
      real: false,
      respond(request) {
        [onText, text] = [request.onText, ""];
        return new Promise((resolve_) => (resolve = resolve_));
      },
    },
    say(piece) {
      text += piece;
      onText?.(piece);
    },
    end: (rest) => resolve?.({ text, calls: [], ...rest }),
  };
}

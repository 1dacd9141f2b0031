import type { AssistantTurn } from "../src/agent/conversation.ts";
import type { Model } from "../src/agent/model.ts";

/** A model, and how a test has it speak. */
export interface StreamingModel {
  readonly model: Model;
  /** Streams a piece of the answer that is asked for, or of the next one. */
  readonly say: (piece: string) => void;
  /** Ends that answer. */
  readonly end: (rest?: Partial<AssistantTurn>) => void;
}

/** A model whose answers come piece by piece, when the test says so. */
export function createStreamingModel(): StreamingModel {
  let onText: ((piece: string) => void) | undefined;
  let text = "";
  let ended = Promise.withResolvers<Partial<AssistantTurn>>();
  return {
    model: {
      name: "streaming",
      real: false,
      async respond(request) {
        ({ onText } = request);
        const { signal } = request;
        const { promise, reject } = ended;
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        if (text !== "") onText(text);
        const rest = await promise;
        const turn = { text, calls: [], ...rest };
        [onText, text, ended] = [undefined, "", Promise.withResolvers()];
        return turn;
      },
    },
    say(piece) {
      text += piece;
      onText?.(piece);
    },
    end: (rest = {}) => ended.resolve(rest),
  };
}

import type { Model } from "../agent/model.ts";
import type { Recorder } from "./recorder.ts";

/** A model that also tells a recorder of each turn: what was sent, how long the answer took, the tokens. */
export function recordedModel(model: Model, { turns }: Recorder): Model {
  return {
    ...model,
    async respond(request) {
      turns.begin(request);
      try {
        const answer = await model.respond(request);
        turns.end(answer);
        return answer;
      } catch (error) {
        turns.end(undefined);
        throw error;
      }
    },
  };
}

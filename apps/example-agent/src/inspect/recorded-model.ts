import type { Model } from "../agent/model.ts";
import type { Recorder } from "./recorder.ts";

/** A model that also reports each turn to a recorder: the request, the time of the answer, the tokens. */
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

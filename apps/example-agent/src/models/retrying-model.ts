import { setTimeout } from "node:timers/promises";
import { ModelError, type Model } from "../agent/model.ts";

/** How often an answer may break off before the task fails. */
const MAX_ATTEMPTS = 3;
/** How long the first pause is; the second is twice as long. */
const DELAY_MS = 500;

/**
 * Asks again when an answer breaks off in the middle. That is safe: calls are run only once an answer is whole. The
 * streamed part stays on the screen, so the person receives a notice.
 */
export function retryingModel(model: Model): Model {
  return {
    ...model,
    async respond(request) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await model.respond(request);
        } catch (error) {
          const again = error instanceof ModelError && error.brokeOff && attempt < MAX_ATTEMPTS;
          if (!again || request.signal.aborted) throw error;
          request.onNotice(`${error.message}: asking again (${attempt} of ${MAX_ATTEMPTS - 1})`);
          await setTimeout(attempt * DELAY_MS, undefined, { signal: request.signal });
        }
      }
    },
  };
}

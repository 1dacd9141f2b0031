import { makeToken } from "../http/bearer-token.ts";

/** Characters a token has at least. */
const MIN_TOKEN = 20;

/**
 * The token that calls must bear.
 *
 * @param given The one that the environment holds. `undefined`: a new one.
 * @throws {Error} When the given one is too short to be a secret.
 */
export function chooseToken(given: string | undefined): string {
  if (given === undefined) return makeToken();
  if (given.length >= MIN_TOKEN) return given;
  throw new Error(`Cannot use the token: found ${given.length} characters, allowed are at least ${MIN_TOKEN}`);
}

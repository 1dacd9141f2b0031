import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Characters a token has at least. */
const MIN_TOKEN_CHARS = 20;

/**
 * The token that requests must bear.
 *
 * @param given - `undefined`: a new one of 256 random bits.
 * @throws {Error} When the given one is too short to be a secret, or no header can carry it.
 */
export function chooseToken(given: string | undefined): string {
  if (given === undefined) return randomBytes(32).toString("base64url");
  if (given.length < MIN_TOKEN_CHARS) {
    throw new Error(`Cannot use the token: found ${given.length} characters, allowed are at least ${MIN_TOKEN_CHARS}`);
  }
  if (/^[\x21-\x7e]+$/.test(given)) return given;
  throw new Error("Cannot use the token: found a space or a character beyond ASCII, which clients cannot send");
}

/** Says whether a request bears the token (`Authorization: Bearer TOKEN`), in the same time however much of a guess is right. */
export function createBearerCheck(token: string): (request: IncomingMessage) => boolean {
  const wanted = digest(`Bearer ${token}`);
  return ({ headers: { authorization = "" } }) =>
    timingSafeEqual(wanted, digest(authorization.replace(/^bearer +/i, "Bearer ")));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

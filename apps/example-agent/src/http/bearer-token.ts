import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** A token that nobody guesses: 256 random bits. */
export function makeToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Says whether a request bears the token (`Authorization: Bearer TOKEN`), in the same time however much of a guess is right. */
export function createBearerCheck(token: string): (request: IncomingMessage) => boolean {
  const wanted = digest(`Bearer ${token}`);
  return ({ headers: { authorization = "" } }) => timingSafeEqual(wanted, digest(authorization));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

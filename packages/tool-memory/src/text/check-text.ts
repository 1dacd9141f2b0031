import { refuse, type Refusal } from "./refusal.ts";

/**
 * Says why a text cannot be kept, `undefined` when it can. What is kept comes back identical, so what PostgreSQL would
 * refuse (U+0000) or change (half of a surrogate pair) is not taken.
 */
export function checkText(name: string, text: string, most: number): Refusal | undefined {
  if (text.length > most) {
    return refuse("too_large", `${name} refused: it has ${text.length} characters, allowed are ${most}; shorten it`);
  }
  if (text.includes("\0")) {
    return refuse("invalid_text", `${name} refused: it holds the character U+0000, allowed is any other; leave it out`);
  }
  if (!text.isWellFormed()) {
    return refuse(
      "invalid_text",
      `${name} refused: it holds half of a surrogate pair, allowed is well-formed Unicode; send the whole character or leave it out`,
    );
  }
  return undefined;
}

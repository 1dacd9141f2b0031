import { refuse, type Refusal } from "./refusal.ts";

/**
 * Refuses a text that cannot be stored; `undefined` when it can. A stored text must come back identical, so a text that
 * PostgreSQL would refuse (U+0000) or change (half of a surrogate pair) is refused here.
 *
 * @param name the name of the field, for the refusal.
 * @param maxChars the allowed length in UTF-16 code units.
 */
export function checkText(name: string, text: string, maxChars: number): Refusal | undefined {
  if (typeof text !== "string") return refuse("invalid_text", `${name} refused: it is no text; send a text`);
  if (text.length > maxChars) {
    return refuse(
      "too_large",
      `${name} refused: it has ${text.length} characters, allowed are ${maxChars}; shorten it`,
    );
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

import { escapeUnseen, toEscape } from "./escape-unseen.ts";

/**
 * JSON for a model to read. What was remembered stays inside its string: quotes and line breaks are escaped as always,
 * and so are `<` and `>`, which could open or close the tags that prompts are built of, and characters that cannot be
 * seen but may be read. The two joiners that scripts and emoji need stay.
 */
export function toJsonText(value: unknown): string {
  return escapeUnseen(JSON.stringify(value).replace(/[<>]/g, toEscape));
}

/** The first `most` characters of a text, without cutting one in two. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, Math.max(most, 0));
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

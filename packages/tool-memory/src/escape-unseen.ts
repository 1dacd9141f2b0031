const UNSEEN = /[\p{Cc}\p{Co}\u2028\u2029]|(?![\u200C\u200D])\p{Cf}/gu;

/**
 * A text in which what cannot be seen, or would act on a terminal, is escaped as in JSON; the characters of `kept` stay,
 * and so do the two joiners that scripts and emoji need.
 */
export function escapeUnseen(text: string, kept = "\t"): string {
  return text.replace(UNSEEN, (found) => (kept.includes(found) ? found : toEscape(found)));
}

/** A character as JSON escapes it. */
export function toEscape(found: string): string {
  return Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
    "",
  );
}

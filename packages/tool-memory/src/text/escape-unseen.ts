/**
 * What cannot be seen but may be read, or acts on a terminal: control, format and private characters, line and paragraph
 * separators, fillers that look like nothing, and the variation selectors that no emoji needs, which carry hidden text. The
 * two joiners that scripts and emoji need are not among them.
 */
const UNSEEN =
  /\p{Cc}|\p{Co}|\p{Zl}|\p{Zp}|\u034F|[\u115F\u1160\u3164\uFFA0]|\u17B4|\u17B5|[\uFE00-\uFE0D]|[\u{E0100}-\u{E01EF}]|(?!\u200C|\u200D)\p{Cf}/gu;

/** A text in which what cannot be seen is escaped as in JSON; the characters of `kept` stay. */
export function escapeUnseen(text: string, kept = "\t"): string {
  return text.replace(UNSEEN, (found) => (kept.includes(found) ? found : toEscape(found)));
}

/** A character as JSON escapes it. */
export function toEscape(found: string): string {
  return Array.from(
    { length: found.length },
    (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
}

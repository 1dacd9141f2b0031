/**
 * Characters that a person does not see but a model reads or a terminal obeys: control, format and private-use characters,
 * line and paragraph separators, blank fillers, and the variation selectors that no emoji needs, which can carry hidden
 * text. The zero-width joiner and non-joiner are excluded: scripts and emoji need them.
 */
const INVISIBLE =
  /\p{Cc}|\p{Co}|\p{Zl}|\p{Zp}|\u034F|[\u115F\u1160\u3164\uFFA0]|\u17B4|\u17B5|[\uFE00-\uFE0D]|[\u{E0100}-\u{E01EF}]|(?!\u200C|\u200D)\p{Cf}/gu;

/** Escapes invisible characters as JSON does (`\u202e`). The characters of `kept` are not escaped. */
export function escapeInvisible(text: string, kept = "\t"): string {
  return text.replace(INVISIBLE, (found) => (kept.includes(found) ? found : toEscape(found)));
}

/** The JSON escape of a character. */
export function toEscape(found: string): string {
  return Array.from(
    { length: found.length },
    (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
}

/** Letters of scripts whose letters join or form clusters, where the zero-width joiner and non-joiner change how the text looks. */
const JOINING =
  "[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}]";

/** Default-ignorable characters that change how the text looks where they stand: between joining letters, in emoji. */
const SEEN = [
  `(?<=${JOINING})[\\u200C\\u200D](?=${JOINING})`,
  "(?<=\\p{Extended_Pictographic}[\\uFE0F\\p{Emoji_Modifier}]?)\\u200D(?=\\p{Extended_Pictographic})",
  "(?<=\\p{Extended_Pictographic})[\\uFE0E\\uFE0F]",
  "(?<=[0-9#*])\\uFE0F(?=\\u20E3)",
];

/**
 * Characters that a person does not see but a model reads or a terminal obeys: control, format and private-use characters, line
 * and paragraph separators, and every default-ignorable code point, which can carry hidden text. Excluded are joiners and
 * variation selectors where scripts and emoji need them.
 */
const INVISIBLE = new RegExp(
  `(?!${SEEN.join("|")})(?:\\p{Cc}|\\p{Co}|\\p{Cf}|\\p{Zl}|\\p{Zp}|\\p{Default_Ignorable_Code_Point}|\\p{Noncharacter_Code_Point}|\\u2800)`,
  "gu",
);

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

/**
 * JSON for a prompt. A stored text cannot leave its JSON string or imitate the prompt around it: besides quotes and line
 * breaks, `<` and `>` are escaped, which could open or close the prompt's tags, and so are invisible characters.
 */
export function toPromptJson(value: unknown): string {
  return escapeInvisible(JSON.stringify(value).replace(/[<>]/g, toEscape));
}

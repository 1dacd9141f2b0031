/** Longer texts hold more than one statement. */
const MAX_CHARS = 300;

/** An aside at the end of a note: "as of today", "they told me", without names or numbers. */
const ASIDE = /\s*[,;(–—-]\s*((?:\p{Ll}[\p{Ll}\p{M}'’]*\s+){1,3}\p{Ll}[\p{Ll}\p{M}'’]*)\s*[).!]*$/u;

/** Words that turn a statement into another. */
const TURNS =
  /(?<!\p{L})(?:not|no|never|none|nor|without|except|unless|if|but|instead|nicht|kein\p{L}*|nie|ohne|außer|wenn|aber|statt|nunca|sin|si|pero|pas|jamais|sans|sauf|mais|не|нет|без|если|но)(?!\p{L})/u;

/** At most so many words of an aside say anything. */
const MAX_SAYING = 1;

/**
 * What a short note states, the same for notes that differ by case, punctuation and an aside at the end; `undefined` for a longer one.
 *
 * @param termsOf the search terms of a text.
 */
export function toStatement(text: string, termsOf: (text: string) => readonly string[]): string | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const [whole, aside = ""] = ASIDE.exec(text) ?? [""];
  const isAside = aside !== "" && !TURNS.test(aside) && termsOf(aside).length <= MAX_SAYING;
  const words = (isAside ? text.slice(0, -whole.length) : text)
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+|[^\s\p{P}]/gu);
  return words === null || words.length < 3 ? undefined : words.join(" ");
}

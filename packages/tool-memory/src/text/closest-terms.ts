/** Shorter words are too much like others, and one with other characters than letters is a number, a piece or a name. */
const CORRECTABLE = /^\p{L}{5,}$/u;

/** From this length on, two mistakes are likely to be mistakes. */
const TWO_MISTAKES = 9;

/** Maximum number of words that a misspelt one is searched as. */
const MAX_CLOSEST = 3;

/** Maximum number of misspelt words of a query. Each costs some milliseconds. */
const MAX_MISSPELT = 3;

/** The terms of a query that may be misspelt: no text has them. */
export function toMisspelt(terms: readonly string[], found: ReadonlyMap<string, unknown>): readonly string[] {
  return [...new Set(terms)].filter((term) => !found.has(term) && CORRECTABLE.test(term)).slice(0, MAX_MISSPELT);
}

/** The first letters of the words that a term may be a misspelling of: its own, and its second where the first two are exchanged or one is missing. */
export function firstLetters(term: string): readonly string[] {
  return [...new Set(Array.from(term).slice(0, 2))];
}

/** A misspelt ending is left on a word that would lose it. In characters. */
const MAX_ENDING = 5;

/**
 * The words that a term is most likely a misspelling of, at most three: those with the fewest mistakes (a letter left out, added, changed,
 * or two exchanged), one at most, two in words of nine letters or more. A misspelt ending, which stemming leaves on a word, is one mistake.
 */
export function closestTerms(term: string, vocabulary: readonly string[]): readonly string[] {
  let least = term.length < TWO_MISTAKES ? 1 : 2;
  let found: string[] = [];
  for (const word of vocabulary) {
    if (word === term || !CORRECTABLE.test(word)) continue;
    const mistakes = term.startsWith(word) && term.length - word.length <= MAX_ENDING ? 1 : distance(term, word, least);
    if (mistakes > least) continue;
    if (mistakes < least) found = [];
    least = mistakes;
    found.push(word);
  }
  return found.toSorted().slice(0, MAX_CLOSEST);
}

/** Number of mistakes between two words (optimal string alignment); any number above `most` when there are more. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let [before, last] = [
    [] as readonly number[],
    Array.from({ length: b.length + 1 }, (_, at) => at) as readonly number[],
  ];
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let at = 1; at <= b.length; at++) {
      const isSame = a[row - 1] === b[at - 1];
      let cost = Math.min((last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + Number(!isSame));
      const areExchanged = row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1];
      if (areExchanged) cost = Math.min(cost, (before[at - 2] ?? 0) + 1);
      next.push(cost);
    }
    if (Math.min(...next) > most) return most + 1;
    [before, last] = [last, next];
  }
  return last[b.length] ?? 0;
}

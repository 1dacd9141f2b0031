/** Shorter words are too much like others, and one with other characters than letters is a number, a piece or a name. */
const CORRECTABLE = /^\p{L}{5,}$/u;

/** From this length on, two mistakes are likely to be mistakes. */
const TWO_MISTAKES = 8;

/** From this length on, a word is a part of longer ones that begin with it: compounds, and endings that stemming does not know. */
const PART = 6;

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
 * or two exchanged), one at most, two in words of eight letters or more. A misspelt ending, which stemming leaves on a word, is one
 * mistake, and so is the rest of a compound that the term begins or is begun by; beside either, one letter more may be wrong.
 */
export function closestTerms(term: string, vocabulary: readonly string[]): readonly string[] {
  let least = 2;
  let found: string[] = [];
  for (const word of vocabulary) {
    if (word === term || !CORRECTABLE.test(word)) continue;
    const mistakes = mistakesIn(term, word);
    if (mistakes > least) continue;
    if (mistakes < least) found = [];
    least = mistakes;
    found.push(word);
  }
  return found.toSorted().slice(0, MAX_CLOSEST);
}

/** Whether one word begins the other, with an ending or in a compound. */
function isPart(term: string, word: string): boolean {
  if (term.startsWith(word)) return term.length - word.length <= MAX_ENDING || word.length >= PART;
  return word.startsWith(term) && term.length >= PART;
}

/** Number of mistakes by which a term is a word; more than two when it is another. */
function mistakesIn(term: string, word: string): number {
  if (isPart(term, word)) return 1;
  const most = term.length < TWO_MISTAKES ? 1 : 2;
  const mistakes = distance(term, word, most);
  if (mistakes <= most) return mistakes;
  // A part with one mistake in it. Words that begin otherwise are left out first, for there are many.
  const [part, whole] = term.length < word.length ? [term, word] : [word, term];
  if (part.length < PART || part[0] !== whole[0]) return Infinity;
  const isBegun = [-1, 0, 1].some((more) => distance(part, whole.slice(0, part.length + more), 1) <= 1);
  return isBegun ? 2 : Infinity;
}

/** Number of mistakes between two words from some letters on (optimal string alignment); `most` and one when there are more. */
function distance(a: string, b: string, most: number, fromA = 0, fromB = 0): number {
  let [at, to] = [fromA, fromB];
  for (; at < a.length && a[at] === b[to]; at++) to++;
  const left = Math.abs(a.length - at - (b.length - to));
  if (at === a.length || to === b.length) return Math.min(left, most + 1);
  if (most === 0 || left > most) return most + 1;
  const areExchanged = a[at] === b[to + 1] && a[at + 1] === b[to];
  return Math.min(
    1 + distance(a, b, most - 1, at + 1, to + 1),
    1 + distance(a, b, most - 1, at + 1, to),
    1 + distance(a, b, most - 1, at, to + 1),
    areExchanged ? 1 + distance(a, b, most - 1, at + 2, to + 2) : Infinity,
  );
}

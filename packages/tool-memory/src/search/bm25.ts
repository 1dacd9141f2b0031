/** BM25's usual constant (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009). */
const K1 = 1.2;

/** How often each term is in a text. */
export type TermCounts = ReadonlyMap<string, number>;

/** Counts terms that have a space between. */
export function countTerms(words: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words.split(" ")) if (word !== "") counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/**
 * BM25 of a text.
 *
 * @param weights the searched terms with their weights.
 * @param length number of terms of the text, divided by the mean.
 * @param b how much the length counts, 0 to 1.
 */
export function bm25(counts: TermCounts, weights: ReadonlyMap<string, number>, length: number, b: number): number {
  const scale = K1 * (1 - b + b * length);
  let score = 0;
  for (const [term, weight] of weights) {
    const count = counts.get(term);
    if (count !== undefined) score += (weight * count * (K1 + 1)) / (count + scale);
  }
  return score;
}

/** BM25's usual constant (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009). */
const K1 = 1.2;

/**
 * BM25 of a text.
 *
 * @param counts how often each searched term is in the text.
 * @param weights the weights of the searched terms, in the same order.
 * @param length number of terms of the text, divided by the mean.
 * @param b how much the length counts, 0 to 1.
 */
export function bm25(counts: ArrayLike<number>, weights: ArrayLike<number>, length: number, b: number): number {
  const scale = K1 * (1 - b + b * length);
  let score = 0;
  for (let at = 0; at < weights.length; at++) {
    const count = counts[at] ?? 0;
    if (count > 0) score += ((weights[at] ?? 0) * count * (K1 + 1)) / (count + scale);
  }
  return score;
}

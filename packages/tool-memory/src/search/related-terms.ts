import type { TermCounts } from "./bm25.ts";

/** A block's terms and its score by the query's. */
export interface CountedBlock {
  /** How often each term is in its passages together. */
  readonly counts: TermCounts;
  /** Number of its terms. */
  readonly length: number;
  /** The score by words. */
  readonly words: number;
}

/** Number of best blocks whose terms are looked at. */
const BLOCKS = 10;

/** Number of terms that are taken. */
const TERMS = 20;

/**
 * Terms that the best blocks of a search share and the others lack, with their weights (pseudo-relevance feedback: Lavrenko
 * and Croft, "Relevance-Based Language Models", 2001). Frequencies are those among the candidates, so that nothing more is
 * read; a term of one block alone says nothing of others.
 */
export function toRelatedTerms(
  blocks: readonly CountedBlock[],
  asked: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const best = blocks
    .filter(({ words }) => words > 0)
    .toSorted((a, b) => b.words - a.words)
    .slice(0, BLOCKS);
  const total = best.reduce((sum, { words }) => sum + words, 0);
  if (asked.size === 0 || best.length < 2) return new Map();
  const documents = new Map<string, number>();
  for (const { counts } of blocks)
    for (const term of counts.keys()) documents.set(term, (documents.get(term) ?? 0) + 1);
  const idfOf = (term: string): number => {
    const count = documents.get(term) ?? 0;
    return Math.log(1 + (blocks.length - count + 0.5) / (count + 0.5));
  };
  const likely = new Map<string, number>();
  for (const { counts, length, words } of best) {
    for (const [term, count] of counts) {
      if (asked.has(term) || (documents.get(term) ?? 0) < 2) continue;
      likely.set(term, (likely.get(term) ?? 0) + ((words / total) * count * idfOf(term)) / length);
    }
  }
  const taken = [...likely].toSorted(([, a], [, b]) => b - a).slice(0, TERMS);
  const most = taken[0]?.[1] ?? 1;
  return new Map(taken.map(([term, value]) => [term, (value / most) * idfOf(term)]));
}

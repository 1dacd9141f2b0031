import type { Candidates } from "../database/candidate.ts";
import type { TermCounts } from "./bm25.ts";
import { liftNeighbours, MOST } from "./lift-neighbours.ts";
import { scoreWords, type ScoredPassage } from "./score-words.ts";

/** A block as ranked. */
export interface RankedBlock {
  /** The id of the block. */
  readonly blockId: string;
  /** Whether the query is its label. */
  readonly isNamed: boolean;
  /** The score, 0 to 1, of four digits. */
  readonly score: number;
  /** The score by words. */
  readonly lexical: number;
  /** Cosine of its most similar passage, `null` for none. */
  readonly cosine: number | null;
  /** The part of the score that comes from neighbours. */
  readonly bonus: number;
  /** How often each search term is in it. */
  readonly counts: TermCounts;
  /** The passages that were ranked, best first: where each begins and ends. */
  readonly passages: readonly (readonly [start: number, end: number])[];
}

/**
 * The ranking formula, the same for all databases: `score = (1 - weight) * words + weight * cosine`, each scaled to 0 to 1
 * within the query (convex fusion: Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", 2023). A block
 * without a vector is scored by words only. Neighbours in the same sequence add a bonus.
 *
 * @param weight weight of the vectors, 0 to 1.
 * @param floor lowest cosine of a hit by vector only: decides when all cosines are equal.
 * @returns the blocks in no order.
 */
export function rankCandidates(candidates: Candidates, weight: number, floor: number): readonly RankedBlock[] {
  const toSense = toScale(candidates, floor);
  const blocks = scoreWords(candidates);
  const most = Math.max(...blocks.map(({ words }) => words), 0);
  const mix = (words: number, cosine: number | null): number => {
    const lexical = most === 0 ? 0 : words / most;
    return (1 - weight) * lexical + weight * (cosine === null ? lexical : toSense(cosine));
  };
  const scored = blocks.map((block) => {
    const cosine = highest(block.passages);
    const { series, place } = block.passages[0]?.passage ?? { series: null, place: 0 };
    return { ...block, cosine, score: mix(block.words, cosine), stream: series ?? block.blockId, place };
  });
  const bonuses = liftNeighbours(scored);
  return scored.flatMap(({ blockId, passages, counts, words, cosine, score }, at) => {
    const bonus = bonuses[at] ?? 0;
    if (bonus === 0 && !passages.some(({ passage }) => passage.isMatched)) return [];
    const worth = ({ passage, words: own }: ScoredPassage): number => mix(own, passage.cosine);
    const inOrder = passages.toSorted((a, b) => worth(b) - worth(a) || a.passage.ordinal - b.passage.ordinal);
    return {
      blockId,
      isNamed: passages.some(({ passage }) => passage.isNamed),
      score: round((score + bonus) / MOST),
      lexical: round(words),
      cosine: cosine === null ? null : round(cosine),
      bonus: round(bonus / MOST),
      counts,
      passages: inOrder.map(({ passage: { start, end } }) => [start, end] as const),
    };
  });
}

/** Scales cosines to 0 to 1 by the lowest and the highest. */
function toScale({ passages }: Candidates, floor: number): (cosine: number) => number {
  const cosines = passages.map(({ cosine }) => cosine).filter((cosine) => cosine !== null);
  const [low, high] = [Math.min(...cosines), Math.max(...cosines)];
  return (cosine) => (high > low ? (cosine - low) / (high - low) : Number(cosine >= floor));
}

function highest(passages: readonly ScoredPassage[]): number | null {
  const cosines = passages.map(({ passage }) => passage.cosine).filter((cosine) => cosine !== null);
  return cosines.length === 0 ? null : Math.max(...cosines);
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

import type { Candidates, SearchedVector } from "../database/candidate.ts";
import { toTermCode } from "../text/term-codes.ts";
import { liftNeighbours, MOST } from "./lift-neighbours.ts";
import { scoreWords, type ScoredPassage } from "./score-words.ts";

/** A block as ranked. */
interface RankedBlock {
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
  /** The codes of the search terms of its first passages. */
  readonly codes: readonly number[];
  /** The passages that were ranked, best first: where each begins and ends. */
  readonly passages: readonly (readonly [start: number, end: number])[];
}

/** The best blocks of a search. */
interface Ranked {
  /** The codes of the query's terms that are in some passage, each with its inverse document frequency. */
  readonly terms: ReadonlyMap<number, number>;
  /** The blocks, best first: the one whose label is the query, then by score. */
  readonly blocks: readonly RankedBlock[];
}

/**
 * The ranking formula, the same for all databases: `score = (1 - weight) * words + weight * cosine`, each scaled to 0 to 1
 * within the query (convex fusion: Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", 2023). A block
 * without a vector is scored by words only. Neighbours in the same sequence add a bonus.
 *
 * @param limit maximum number of blocks.
 */
export function rankCandidates(candidates: Candidates, vector: SearchedVector | undefined, limit: number): Ranked {
  const { weight, floor } = vector ?? { weight: 0, floor: 0 };
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
    return { block, cosine, score: mix(block.words, cosine), series, place };
  });
  const bonuses = liftNeighbours(scored);
  const worth = ({ passage, words }: ScoredPassage): number => mix(words, passage.cosine);
  const ranked = scored
    .map((one, at) => {
      const bonus = bonuses[at] ?? 0;
      const isNamed = one.block.passages.some(({ passage }) => passage.isNamed);
      return { ...one, bonus, isNamed, score: round((one.score + bonus) / MOST) };
    })
    .filter(({ bonus, block }) => bonus !== 0 || block.passages.some(({ passage }) => passage.isMatched))
    .toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.score - a.score)
    .slice(0, limit)
    .map(({ block: { blockId, passages, codes, words }, isNamed, cosine, score, bonus }): RankedBlock => ({
      blockId,
      isNamed,
      score,
      lexical: round(words),
      cosine: cosine === null ? null : round(cosine),
      bonus: round(bonus / MOST),
      codes,
      passages: passages
        .toSorted((a, b) => worth(b) - worth(a) || a.passage.ordinal - b.passage.ordinal)
        .map(({ passage: { start, end } }) => [start, end] as const),
    }));
  const terms = new Map(Array.from(candidates.terms, ([term, idf]) => [toTermCode(term), idf]));
  return { terms, blocks: ranked };
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

import type { Candidate, Candidates } from "../database/candidate.ts";
import { bm25, countTerms } from "./bm25.ts";
import { toRelatedTerms, type CountedBlock } from "./related-terms.ts";

/** A passage with its score by words. */
export interface ScoredPassage {
  readonly passage: Candidate;
  /** BM25, or 1 when it contains the query literally. */
  readonly words: number;
}

/** A block with its score by words: of the whole, of the best passage, and of related terms. */
export interface ScoredBlock extends CountedBlock {
  readonly blockId: string;
  /** At least one. */
  readonly passages: readonly ScoredPassage[];
}

/** How much the whole block counts; the rest is its best passage. A best passage alone favours long texts, which have more of them. */
const WHOLE = 0.7;

/** How much the length of a passage counts in BM25. Blocks, whose lengths differ more, are scored by all of it. */
const PASSAGE_B = 0.75;
const BLOCK_B = 1;

/** How much the terms count that the best blocks have in common. */
const RELATED = 0.15;

/** Scores blocks by the query's terms, and by terms of those blocks that score best. */
export function scoreWords({ terms, passageLength, blockLength, passages }: Candidates): readonly ScoredBlock[] {
  const groups = new Map<string, (typeof passages)[number][]>();
  for (const passage of passages) {
    const group = groups.get(passage.blockId);
    if (group === undefined) groups.set(passage.blockId, [passage]);
    else group.push(passage);
  }
  const blocks = Array.from(groups, ([blockId, group]) => {
    let counts = new Map<string, number>();
    const scored = group.map((passage) => {
      const own = countTerms(passage.words);
      if (counts.size === 0) counts = group.length === 1 ? own : new Map(own);
      else for (const [term, count] of own) counts.set(term, (counts.get(term) ?? 0) + count);
      return { passage, words: passage.isLiteral ? 1 : bm25(own, terms, passage.length / passageLength, PASSAGE_B) };
    });
    const length = group.reduce((sum, passage) => sum + passage.length, 0);
    const whole = group.some(({ isLiteral }) => isLiteral) ? 1 : bm25(counts, terms, length / blockLength, BLOCK_B);
    const best = Math.max(...scored.map(({ words }) => words));
    return { blockId, passages: scored, counts, length, words: WHOLE * whole + (1 - WHOLE) * best };
  });
  const related = toRelatedTerms(blocks, terms);
  if (related.size === 0) return blocks;
  return blocks.map((block) => ({
    ...block,
    words: block.words + RELATED * bm25(block.counts, related, block.length / blockLength, BLOCK_B),
  }));
}

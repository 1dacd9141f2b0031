import type { Candidate, Candidates } from "../database/candidate.ts";
import { toTermCode, toTermCodes } from "../text/term-codes.ts";
import { bm25 } from "./bm25.ts";
import { toRelatedTerms } from "./related-terms.ts";

/** A passage with its score by words. */
export interface ScoredPassage {
  readonly passage: Candidate;
  /** BM25, or 1 when it contains the query literally. */
  readonly words: number;
}

/** A block with its score by words: of the whole, of the best passage, and of related terms. */
export interface ScoredBlock {
  readonly blockId: string;
  /** At least one. */
  readonly passages: readonly ScoredPassage[];
  /** The codes of the terms of its passages. */
  readonly codes: readonly number[];
  /** Number of its terms. */
  readonly length: number;
  readonly words: number;
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
  const weights = [...terms.values()];
  const places = new Map(Array.from(terms.keys(), (term, at) => [toTermCode(term), at]));
  const blocks = groupByBlock(passages).map((group): ScoredBlock => {
    const counts = new Uint32Array(weights.length);
    let codes: readonly number[] = [];
    let [length, best, isLiteral] = [0, 0, false];
    const scored = group.map((passage) => {
      const own = new Uint32Array(weights.length);
      const found = toTermCodes(passage.words);
      codes = codes.length === 0 ? found : codes.concat(found);
      for (const code of found) {
        const place = places.get(code);
        if (place !== undefined) own[place] = (own[place] ?? 0) + 1;
      }
      for (let at = 0; at < own.length; at++) counts[at] = (counts[at] ?? 0) + (own[at] ?? 0);
      const words = passage.isLiteral ? 1 : bm25(own, weights, passage.length / passageLength, PASSAGE_B);
      length += passage.length;
      best = Math.max(best, words);
      isLiteral ||= passage.isLiteral;
      return { passage, words };
    });
    const whole = isLiteral ? 1 : bm25(counts, weights, length / blockLength, BLOCK_B);
    const blockId = group[0]?.blockId ?? "";
    return { blockId, passages: scored, codes, length, words: WHOLE * whole + (1 - WHOLE) * best };
  });
  const related = toRelatedTerms(blocks, places);
  if (related === undefined) return blocks;
  return blocks.map((block, at) => {
    const more = bm25(related.countsOf(at), related.weights, block.length / blockLength, BLOCK_B);
    return { ...block, words: block.words + RELATED * more };
  });
}

function groupByBlock(passages: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const groups = new Map<string, Candidate[]>();
  for (const passage of passages) {
    const group = groups.get(passage.blockId);
    if (group === undefined) groups.set(passage.blockId, [passage]);
    else group.push(passage);
  }
  return [...groups.values()];
}

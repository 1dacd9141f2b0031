import { TIERS } from "../block/tier.ts";
import type { Candidates, CandidateSearch } from "../database/candidate.ts";
import type { RankedHit, SequencedBlock } from "../database/ranked-hit.ts";
import { preferNewer } from "./prefer-newer.ts";
import { rankCandidates } from "./rank-candidates.ts";

/** Number of additional blocks that are read, so that among blocks of equal score the tier and the last change decide. */
const TIES = 20;

/** The ranking of a search, while its blocks are not yet read. */
export interface Ranking {
  /** The ids of the blocks to read. */
  readonly ids: readonly string[];
  /** The hits, best first, from those blocks, which may be in any order. */
  readonly toHits: (blocks: readonly SequencedBlock[]) => readonly RankedHit[];
}

/** Ranks the candidates of a search; then, from their blocks, puts newer notes first and decides between equals. */
export function rankHits({ query, vector, limit }: CandidateSearch, candidates: Candidates): Ranking {
  const { terms, blocks: ranked } = rankCandidates(candidates, vector, limit + TIES);
  return {
    ids: ranked.map(({ blockId }) => blockId),
    toHits(blocks) {
      const byId = new Map(blocks.map((block) => [block.id, block]));
      const found = ranked.flatMap((one) => {
        const read = byId.get(one.blockId);
        if (read === undefined) return [];
        const { seq, ...block } = read;
        return { ...one, block, seq };
      });
      const dated = found.map(({ score, codes, seq, block: { label, content, updatedAt, trust, validFrom } }) => {
        return { text: `${label} ${content}`, codes, trust, score, validFrom, updatedAt, seq };
      });
      const scores = preferNewer(query, terms, dated);
      return found
        .map((one, at) => ({ ...one, score: scores[at] ?? one.score }))
        .toSorted(
          (a, b) =>
            Number(b.isNamed) - Number(a.isNamed) ||
            b.score - a.score ||
            TIERS.indexOf(a.block.tier) - TIERS.indexOf(b.block.tier) ||
            b.seq - a.seq ||
            compare(b.block.updatedAt, a.block.updatedAt) ||
            compare(a.block.id, b.block.id),
        )
        .slice(0, limit)
        .map(({ block, score, lexical, cosine, bonus, passages }) => {
          // On a server the block may have changed since its passages were read.
          const inside = passages.filter(([, end]) => end <= block.content.length);
          return { block, score, lexical, cosine, bonus, passages: inside };
        });
    },
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

import type { MemoryHit } from "../block/memory-block.ts";
import { TIERS } from "../block/tier.ts";
import type { BlockFilter } from "../database/block-filter.ts";
import type { Database } from "../database/database.ts";
import { selectBlocksById } from "../rows/block-rows.ts";
import { preferNewer } from "./prefer-newer.ts";
import { rankCandidates, type RankedBlock } from "./rank-candidates.ts";
import type { QueryVector } from "./search-index.ts";

/** A search. */
export interface Search {
  /** Trimmed and not empty. */
  readonly query: string;
  /** The query as the key of a label, empty when it is not a label. */
  readonly key: string;
  /** Maximum number of blocks. */
  readonly limit: number;
  /** The blocks that it may find. */
  readonly filter: BlockFilter;
  /** Also find superseded blocks. */
  readonly superseded: boolean;
  /** The query's vector, or the reason why there is none. */
  readonly vector: QueryVector;
}

/** Number of additional blocks that are read, so that among blocks of equal score the tier and the last change decide. */
const TIES = 20;

/** The matching blocks, best first. */
export async function searchBlocks(sql: Database, owner: string, search: Search): Promise<readonly MemoryHit[]> {
  const { query, key, limit, filter, superseded, vector } = search;
  const searched = "missing" in vector ? undefined : vector;
  const candidates = await sql.findCandidates(owner, { query, key, filter, superseded, vector: searched });
  const weight = searched?.weight ?? 0;
  const ranked = rankCandidates(candidates, weight, searched?.floor ?? 0)
    .toSorted(byScore)
    .slice(0, limit + TIES);
  const ids = ranked.map(({ blockId }) => blockId);
  const blocks = new Map((await selectBlocksById(sql, owner, ids)).map((block) => [block.id, block]));
  const weights = { lexical: 1 - weight, dense: weight };
  const hits = ranked.flatMap((found) => {
    const block = blocks.get(found.blockId);
    return block === undefined ? [] : [{ found, block }];
  });
  const dated = hits.map(({ found: { score, counts }, block: { label, content, updatedAt, trust } }) => ({
    text: `${label} ${content}`,
    terms: counts,
    updatedAt,
    trust,
    score,
  }));
  const scores = preferNewer(query, candidates.terms, dated);
  return hits
    .map(({ found, block }, at) => ({ found: { ...found, score: scores[at] ?? found.score }, block }))
    .toSorted(
      (a, b) =>
        byScore(a.found, b.found) ||
        TIERS.indexOf(a.block.tier) - TIERS.indexOf(b.block.tier) ||
        compare(b.block.updatedAt, a.block.updatedAt) ||
        compare(a.block.id, b.block.id),
    )
    .slice(0, limit)
    .map(({ found: { score, lexical, cosine, bonus, passages }, block: { supersedes: _, ...block } }) => ({
      ...block,
      score,
      // The block may have changed since its passages were read.
      passages: passages.filter(([, end]) => end <= block.content.length),
      explain: {
        lexical,
        dense: cosine,
        weights,
        bonus,
        ...("missing" in vector
          ? { missing: vector.missing }
          : cosine === null && { missing: "the block has no vector yet" }),
      },
    }));
}

function byScore(a: RankedBlock, b: RankedBlock): number {
  return Number(b.isNamed) - Number(a.isNamed) || b.score - a.score;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

import { TIERS } from "../block/tier.ts";
import type { Candidates, CandidateSearch } from "../database/candidate.ts";
import type { FoundBlock, RankedHit, SequencedBlock } from "../database/ranked-hit.ts";
import { toStatement } from "../text/same-statement.ts";
import { toSearchTerms } from "../text/search-terms.ts";
import { preferNewer } from "./prefer-newer.ts";
import { rankCandidates } from "./rank-candidates.ts";

/** Number of additional blocks that are read, so that among blocks of equal score the tier and the last change decide. */
const TIES = 20;

/** So many times more blocks are ranked than are wanted, because several may state the same. */
const REPEATS = 4;

/** Maximum number of labels of blocks that state the same. */
const MAX_NAMED = 10;

/** The ranking of a search, while its blocks are not yet read. */
export interface Ranking {
  /** The ids of the blocks to read. */
  readonly ids: readonly string[];
  /** The hits, best first, from those blocks, which may be in any order. */
  readonly toHits: (blocks: readonly SequencedBlock[]) => readonly RankedHit[];
}

/** Ranks the candidates of a search; then, from their blocks, puts newer notes first and decides between equals. */
export function rankHits({ query, vector, limit }: CandidateSearch, candidates: Candidates): Ranking {
  const { terms, blocks: ranked } = rankCandidates(candidates, vector, REPEATS * limit + TIES);
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
      const sorted = found
        .map((one, at) => ({ ...one, score: scores[at] ?? one.score }))
        .toSorted(
          (a, b) =>
            Number(b.isNamed) - Number(a.isNamed) ||
            b.score - a.score ||
            TIERS.indexOf(a.block.tier) - TIERS.indexOf(b.block.tier) ||
            b.seq - a.seq ||
            compare(b.block.updatedAt, a.block.updatedAt) ||
            compare(a.block.id, b.block.id),
        );
      return standForRepeats(sorted, limit).map(({ shown, similar }) => {
        const { block, score, lexical, cosine, bonus, passages } = shown;
        // On a server the block may have changed since its passages were read.
        const inside = passages.filter(([, end]) => end <= block.content.length);
        return { block, score, lexical, cosine, bonus, passages: inside, ...(similar.count > 0 && { similar }) };
      });
    },
  };
}

/** A hit before the repeats of its statement are left out. */
interface Stated {
  readonly block: FoundBlock;
  readonly score: number;
  readonly seq: number;
  readonly isNamed: boolean;
}

/**
 * The best hits, at most `limit`, where each stands for others that state the same, in its tier and with its trust: the newest is shown. A
 * repeat is left out only where another statement needs its place.
 */
function standForRepeats<Hit extends Stated>(sorted: readonly Hit[], limit: number) {
  const groups = new Map<string, Hit[]>();
  for (const hit of sorted) {
    const { id, content, tier, trust } = hit.block;
    const statement = sorted.length <= limit || hit.isNamed ? undefined : toStatement(content, toSearchTerms);
    const key = statement === undefined ? id : `${tier} ${trust} ${statement}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [hit]);
    else group.push(hit);
  }
  const places = Math.max(limit - groups.size, 0);
  const repeats = new Set(
    sorted.filter((hit) => ![...groups.values()].some(([first]) => first === hit)).slice(0, places),
  );
  const shown = [...groups.values()].flatMap((group) => {
    const [first, ...others] = group.filter((hit, at) => at === 0 || !repeats.has(hit));
    if (first === undefined) return [];
    const newest = [first, ...others].toSorted((a, b) => b.seq - a.seq)[0] ?? first;
    const labels = [first, ...others].filter((hit) => hit !== newest).map(({ block }) => block.label);
    const similar = { count: labels.length, labels: labels.slice(0, MAX_NAMED) };
    return [
      { at: sorted.indexOf(first), shown: { ...newest, score: first.score }, similar },
      ...group
        .filter((hit) => repeats.has(hit))
        .map((hit) => ({ at: sorted.indexOf(hit), shown: hit, similar: { count: 0, labels: [] } })),
    ];
  });
  return shown.toSorted((a, b) => a.at - b.at).slice(0, limit);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

import type { MemoryBlock, MemoryHit } from "../block/memory-block.ts";
import type { Tier } from "../block/tier.ts";
import type { Sql } from "../database/sql.ts";
import type { QueryVector } from "./search-index.ts";
import { toSearchStatement } from "./search-statement.ts";

/** A search. */
export interface Search {
  /** Trimmed and not empty. */
  readonly query: string;
  /** The query as the key of a label, empty when it is not a label. */
  readonly key: string;
  /** Maximum number of blocks. */
  readonly limit: number;
  /** Search only this tier. */
  readonly tier: Tier | undefined;
  /** Also find superseded blocks. */
  readonly superseded: boolean;
  /** The query's vector, or the reason why there is none. */
  readonly vector: QueryVector;
}

interface HitRow extends MemoryBlock {
  readonly score: number;
  readonly lexical: number;
  readonly cosine: number | null;
  readonly bonus: number;
  readonly named: unknown;
  readonly changed: unknown;
  readonly passages: readonly (readonly [start: number, end: number])[];
}

/** The matching blocks, best first. */
export async function searchBlocks(sql: Sql, owner: string, search: Search): Promise<readonly MemoryHit[]> {
  const { query, key, limit, tier, superseded, vector } = search;
  const vectors = "missing" in vector ? undefined : vector;
  const weight = vectors?.weight ?? 0;
  const statement = toSearchStatement({ tier: tier !== undefined, superseded, vectors });
  const params = [owner, query, key, tier ?? null, limit, vectors?.text ?? null, weight, vectors?.floor ?? 0];
  const rows = await sql.query<HitRow>(statement, params);
  const weights = { lexical: 1 - weight, dense: weight };
  return rows.map(({ lexical, cosine, bonus, named: _, changed: __, ...block }) => ({
    ...block,
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

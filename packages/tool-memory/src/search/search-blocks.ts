import type { MemoryHit } from "../block/memory-block.ts";
import type { CandidateSearch } from "../database/candidate.ts";
import type { Database } from "../database/database.ts";
import type { QueryVector } from "./search-index.ts";

/** A search. */
export interface Search extends Omit<CandidateSearch, "vector"> {
  /** The query's vector, or the reason why there is none. */
  readonly vector: QueryVector;
}

/** The matching blocks, best first. */
export async function searchBlocks(
  sql: Database,
  owner: string,
  { vector, ...search }: Search,
): Promise<readonly MemoryHit[]> {
  const searched = "missing" in vector ? undefined : vector;
  const weight = searched?.weight ?? 0;
  const weights = { lexical: 1 - weight, dense: weight };
  const hits = await sql.search(owner, { ...search, vector: searched });
  return hits.map(({ block, score, lexical, cosine, bonus, passages, similar }) => ({
    ...block,
    score,
    passages,
    ...(similar !== undefined && { similar }),
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

import { selectSequenced, toFoundBlock, type FoundRow, type RankedHit } from "../database/ranked-hit.ts";
import { rankHits } from "../ranking/rank-hits.ts";
import type { Connection } from "./connection.ts";
import { findCandidates, type TokenSearch } from "./find-candidates.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import type { VectorCache } from "./vector-cache.ts";

/**
 * The best blocks of a search. All of it runs here, in the thread that has the database open: the host's is free meanwhile, and
 * nothing but the hits has to cross over. The connection must be in a transaction, so that all statements see the same rows.
 */
export function search(db: Connection, cache: VectorCache, owner: string, asked: TokenSearch): readonly RankedHit[] {
  const { ids, toHits } = rankHits(asked, findCandidates(db, cache, owner, asked));
  const found = db.all<FoundRow & { readonly seq: number }>(selectSequenced(sqliteDialect), [
    owner,
    JSON.stringify(ids),
  ]);
  return toHits(found.map(toFoundBlock));
}

import type { CandidateSearch } from "../database/candidate.ts";
import {
  foundColumns,
  selectSequenced,
  toFoundBlock,
  type FoundBlock,
  type FoundRow,
  type RankedHit,
} from "../database/ranked-hit.ts";
import { rankHits } from "../ranking/rank-hits.ts";
import { toSearchTerms } from "../text/search-terms.ts";
import type { Connection } from "./connection.ts";
import { findByWords, findCandidates, type SearchCache, type TokenSearch } from "./find-candidates.ts";
import type { IndexedWords } from "./indexed-words.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

/**
 * The best blocks of a search. All of it runs here, in the thread that has the database open: the host's is free meanwhile, and
 * nothing but the hits has to cross over. The connection must be in a transaction, so that all statements see the same rows.
 */
export function search(
  db: Connection,
  cache: SearchCache,
  owner: string,
  asked: CandidateSearch,
): readonly RankedHit[] {
  const { ids, toHits } = rankHits(asked, findCandidates(db, cache, owner, withTokens(asked)));
  const found = db.all<FoundRow & { readonly seq: number }>(selectSequenced(sqliteDialect), [
    owner,
    JSON.stringify(ids),
  ]);
  return toHits(found.map(toFoundBlock));
}

/** The blocks that share rare words with a query, in the order of how rare. */
export function searchWords(
  db: Connection,
  index: IndexedWords,
  owner: string,
  asked: CandidateSearch,
): readonly FoundBlock[] {
  const ids = findByWords(db, index, owner, withTokens(asked));
  const found = db.all<FoundRow>(
    `SELECT ${foundColumns(sqliteDialect)} FROM json_each($2) AS listed
       CROSS JOIN dispatch_memory.block ON block.owner = $1 AND block.id = listed.value`,
    [owner, JSON.stringify(ids)],
  );
  return found.map(toFoundBlock);
}

function withTokens(asked: CandidateSearch): TokenSearch {
  return { ...asked, tokens: toSearchTerms(asked.query) };
}

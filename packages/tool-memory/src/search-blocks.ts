import { BLOCK_COLUMNS } from "./block-rows.ts";
import type { MemoryHit } from "./memory-block.ts";
import type { SqlQuery } from "./sql.ts";
import type { Tier } from "./tier.ts";

/** BM25's usual constants (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009). */
const K1 = 1.2;
const B = 0.75;

/** How many blocks are scored; of more, those whose query words are rarest. Up to it the scores are exact. */
const CANDIDATES = 300;

/**
 * Any word of the query may match. `found` asks the index once for each word; document frequencies are counted over all
 * blocks searched. A block whose label is the query comes first. Only when no word matches anything are the texts
 * scanned for the query as it stands, for what word indexing cannot find: parts of words, scripts without spaces.
 */
const statement = `
WITH term AS MATERIALIZED (
  SELECT lexeme, ('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''')::tsquery AS query
  FROM unnest(to_tsvector('pg_catalog.english', translate($2::text, '_./:', '    '))) UNION
  SELECT lexeme, ('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''')::tsquery
  FROM unnest(to_tsvector('pg_catalog.english', $2::text))
), corpus AS MATERIALIZED (
  SELECT count(*)::float8 AS blocks, greatest(avg(length), 1)::float8 AS length
  FROM dispatch_memory.block WHERE owner = $1 AND ($3::text IS NULL OR tier = $3::text)
), found AS MATERIALIZED (
  SELECT block.id, term.lexeme
  FROM term JOIN dispatch_memory.block
    ON block.owner = $1 AND ($3::text IS NULL OR block.tier = $3::text) AND block.words @@ term.query
), weight AS MATERIALIZED (
  SELECT found.lexeme, ln(1 + (corpus.blocks - count(*) + 0.5) / (count(*) + 0.5)) AS idf
  FROM found CROSS JOIN corpus GROUP BY found.lexeme, corpus.blocks
), candidate AS MATERIALIZED (
  SELECT found.id FROM found JOIN weight USING (lexeme) GROUP BY found.id ORDER BY sum(weight.idf) DESC, found.id LIMIT ${CANDIDATES}
), scored AS (
  SELECT block.id, sum(weight.idf * cardinality(word.positions) * ${K1 + 1}
    / (cardinality(word.positions) + ${K1} * (1 - ${B} + ${B} * block.length / corpus.length))) AS score
  FROM candidate
  JOIN dispatch_memory.block ON block.owner = $1 AND block.id = candidate.id
  CROSS JOIN corpus
  CROSS JOIN LATERAL unnest(block.words) AS word
  JOIN weight ON weight.lexeme = word.lexeme
  GROUP BY block.id
), literal AS (
  SELECT id FROM dispatch_memory.block
  WHERE owner = $1 AND ($3::text IS NULL OR tier = $3::text) AND NOT EXISTS (SELECT 1 FROM found)
    AND strpos(lower(label || ' ' || content), lower($2::text)) > 0
), labelled AS (
  SELECT id FROM dispatch_memory.block WHERE owner = $1 AND ($3::text IS NULL OR tier = $3::text) AND key = $4
), hit AS (
  SELECT id, max(score) AS score FROM (
    SELECT id, score FROM scored UNION ALL SELECT id, 0 FROM literal UNION ALL SELECT id, 0 FROM labelled
  ) AS every GROUP BY id
)
SELECT ${BLOCK_COLUMNS}, round(hit.score::numeric, 4)::float8 AS score
FROM hit JOIN dispatch_memory.block ON block.owner = $1 AND block.id = hit.id
ORDER BY (block.key = $4) DESC, hit.score DESC, block.updated_at DESC, block.id
LIMIT $5::integer`;

/**
 * The blocks that match, best first, scored by BM25.
 *
 * @param query trimmed and not empty.
 * @param key the query as the key of a label.
 */
export async function searchBlocks(
  sql: SqlQuery,
  owner: string,
  query: string,
  key: string,
  limit: number,
  tier: Tier | undefined,
): Promise<readonly MemoryHit[]> {
  return sql.query<MemoryHit>(statement, [owner, query, tier ?? null, key, limit]);
}

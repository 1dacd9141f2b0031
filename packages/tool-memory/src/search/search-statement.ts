import { BLOCK_COLUMNS } from "../rows/block-rows.ts";
import type { VectorStore } from "./vector-store.ts";

/** BM25's usual constants (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009). */
const K1 = 1.2;
const B = 0.75;

/**
 * Maximum number of passages read for a word, oldest first. The number of passages with a more frequent word is estimated
 * from the range that these cover. Without the limit, a search of 100,000 passages would spend 200 ms on frequent words,
 * which hardly affect the ranking.
 */
const MAX_MATCHES = 1_000;

/** Number of candidates by words. With fewer matches BM25 is exact; of more, the passages with the rarest query words are kept. */
const LEXICAL_CANDIDATES = 60;
/** Number of candidates by vectors. */
const DENSE_CANDIDATES = 40;

/** The index's `ef_search`. With `DENSE_CANDIDATES` it missed a quarter of the nearest, with twice as many an eighth. */
const BREADTH = 2 * DENSE_CANDIDATES;

/**
 * Sets the index's scan options for this statement only. They take effect before the scan, which needs the vector of the same
 * row. Without `iterative_scan`, an index shared by several owners would return too few passages of one.
 */
const SCAN = `set_config('hnsw.ef_search', '${BREADTH}', true) AS breadth,
    set_config('hnsw.iterative_scan', 'relaxed_order', true) AS goes_on`;

/** Number of best candidates of each kind whose neighbours become candidates too. */
const LEADERS = 10;

/** Number of additional blocks ranked exactly, so that among blocks of equal score the tier and the last change decide. */
const TIES = 20;

/**
 * How far a passage or block is lifted towards a better neighbour, by distance 1, 2 and 3. The sum is less than 1, so that
 * none passes the best hit. Fitted on two conversations of LoCoMo, where it adds ten points of recall; confirmed on three
 * others.
 */
const NEIGHBOURS = [0.5, 0.25, 0.125] as const;

/** The vectors to search. */
export interface SearchedVectors {
  /** The store of the vectors. */
  readonly store: VectorStore;
  /** Their embedding space. */
  readonly space: number;
  /** Number of dimensions. */
  readonly dimensions: number;
  /** Whether the space has an index for nearest neighbours. */
  readonly indexed: boolean;
}

/** The options that change the text of the statement. Everything else is a parameter. */
export interface StatementShape {
  /** Search only one tier (`$4`). */
  readonly tier: boolean;
  /** Also find superseded blocks. */
  readonly superseded: boolean;
  /** `undefined`: search by words only. */
  readonly vectors: SearchedVectors | undefined;
}

/**
 * The search statement and its ranking formula. `$1` owner, `$2` query, `$3` the query as the key of a label, `$4` tier, `$5`
 * limit, `$6` the query's vector, `$7` the weight of vectors, `$8` the lowest cosine of a hit by vector only.
 *
 * Ranking formula: `score = (1 - $7) * BM25 + $7 * cosine`, each scaled to 0 to 1 within the query (convex fusion: Bruch, Gai,
 * Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", 2023). A passage without a vector is scored by
 * BM25 only. A
 * block's score is that of its best passage, plus a bonus for better neighbours in the same block or sequence.
 *
 * Candidates are the best passages by words and by vectors, and their neighbours. Any word of the query may match. If no word
 * matches any passage, texts that contain the query literally score as if all words matched.
 */
export function toSearchStatement({ tier, superseded, vectors }: StatementShape): string {
  const scope = toScope(tier, superseded);
  const dense = vectors === undefined ? undefined : toDense(vectors, scope("embedding.passage"));
  return `
WITH ${dense === undefined ? "unused AS (SELECT $4::text, $6::text, $7::float8, $8::float8)" : `unused AS (SELECT $4::text), ${dense.asked}`}, term AS MATERIALIZED (
  SELECT lexeme,
    ('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''')::tsquery AS query
  FROM unnest(to_tsvector('pg_catalog.english', translate($2::text, '_./:', '    ')) || to_tsvector('pg_catalog.english', $2::text))
), corpus AS MATERIALIZED (
  SELECT passages::float8 AS passages, greatest(length::float8 / nullif(passages, 0), 1) AS length,
    (SELECT min(id) FROM dispatch_memory.passage WHERE owner = $1) - 1 AS before,
    (SELECT max(id) FROM dispatch_memory.passage WHERE owner = $1) AS last
  FROM dispatch_memory.corpus WHERE owner = $1
), weight AS MATERIALIZED (
  SELECT lexeme, ids, lengths, ln(1 + (passages - documents + 0.5) / (documents + 0.5)) AS idf
  FROM term CROSS JOIN corpus CROSS JOIN LATERAL (
    SELECT array_agg(id) AS ids, array_agg(length) AS lengths, CASE WHEN count(*) < ${MAX_MATCHES} THEN count(*)
      ELSE least(count(*) * (corpus.last - corpus.before)::float8 / (max(id) - corpus.before), corpus.passages) END AS documents
    FROM (SELECT id, length FROM dispatch_memory.passage WHERE owner = $1 AND words @@ term.query LIMIT ${MAX_MATCHES}) AS passage
    HAVING count(*) > 0
  ) AS found
), lexical AS MATERIALIZED (
  SELECT id, row_number() OVER () AS rank FROM (
    SELECT found.id FROM weight CROSS JOIN LATERAL unnest(ids, lengths) AS found(id, length) WHERE true${scope("found.id")} GROUP BY found.id, found.length
    ORDER BY sum(weight.idf) DESC, found.length, found.id LIMIT ${LEXICAL_CANDIDATES}
  ) AS rarest
), literal AS MATERIALIZED (
  SELECT passage.id FROM dispatch_memory.block JOIN dispatch_memory.passage
    ON passage.owner = $1 AND passage.block_id = block.id AND passage.ordinal = 0
  WHERE block.owner = $1 AND NOT EXISTS (SELECT 1 FROM weight)
    AND strpos(lower(block.label || ' ' || block.content), lower($2::text)) > 0${scope("passage.id")}
  LIMIT ${LEXICAL_CANDIDATES}
), labelled AS MATERIALIZED (
  SELECT passage.id, block.id AS block_id FROM dispatch_memory.block JOIN dispatch_memory.passage
    ON passage.owner = $1 AND passage.block_id = block.id AND passage.ordinal = 0
  WHERE block.owner = $1 AND block.key = $3${tier ? " AND block.tier = $4::text" : ""}
), ${dense === undefined ? "" : `${dense.leg}, `}matched AS MATERIALIZED (
  SELECT id, rank FROM lexical UNION ALL SELECT id, 1 FROM literal UNION ALL SELECT id, 1 FROM labelled${dense === undefined ? "" : " UNION ALL SELECT id, rank FROM dense"}
), candidate AS MATERIALIZED (
  SELECT id FROM matched UNION
  SELECT beside.id FROM matched
    CROSS JOIN LATERAL (SELECT series, place FROM dispatch_memory.passage WHERE owner = $1 AND id = matched.id OFFSET 0) AS leader
    CROSS JOIN LATERAL (SELECT id FROM dispatch_memory.passage WHERE owner = $1 AND series = leader.series
      AND place BETWEEN leader.place - ${NEIGHBOURS.length} AND leader.place + ${NEIGHBOURS.length}${scope("id")} OFFSET 0) AS beside
  WHERE matched.rank <= ${LEADERS}
), sought AS MATERIALIZED (
  SELECT array_agg(lexeme) AS lexemes, array_agg(idf) AS idfs FROM weight
), scored AS MATERIALIZED (
  SELECT passage.*, candidate.id IN (SELECT id FROM literal) AS literal, candidate.id IN (SELECT id FROM matched) AS matched,
    ${dense === undefined ? "NULL::float8" : "near.cosine"} AS cosine
  FROM candidate CROSS JOIN corpus CROSS JOIN sought${dense === undefined ? "" : " CROSS JOIN asked"}
  CROSS JOIN LATERAL (
    SELECT block_id, ordinal, start, "end", series, place, coalesce((
      SELECT sum(sought.idfs[array_position(sought.lexemes, word.lexeme)] * cardinality(word.positions) * ${K1 + 1}
        / (cardinality(word.positions) + ${K1} * (1 - ${B} + ${B} * passage.length / corpus.length)))
      FROM unnest(ts_filter(setweight(passage.words, 'A', sought.lexemes), '{a}')) AS word
    ), 0) AS lexical
    FROM dispatch_memory.passage WHERE owner = $1 AND id = candidate.id OFFSET 0
  ) AS passage${dense === undefined ? "" : dense.join}
), span AS (
  SELECT max(lexical) AS most, min(cosine) AS low, max(cosine) AS high FROM scored
), level AS (
  SELECT scored.*, CASE WHEN literal THEN 1 ELSE coalesce(lexical / nullif(most, 0), 0) END AS words,
    CASE WHEN high > low THEN (cosine - low) / (high - low) WHEN cosine >= $8::float8 THEN 1 WHEN cosine < $8::float8 THEN 0 END AS sense
  FROM scored CROSS JOIN span
), fused AS MATERIALIZED (
  SELECT level.*, (1 - $7::float8) * words + $7::float8 * coalesce(sense, words) AS score FROM level
), piece AS (
  SELECT fused.*, ${toBonus("block_id", "ordinal")} AS inside FROM fused
), best AS (
  SELECT DISTINCT ON (block_id) block_id, coalesce(series, block_id) AS series, place, score, lexical, cosine, inside,
    bool_or(matched) OVER (PARTITION BY block_id) AS matched
  FROM piece ORDER BY block_id, score + inside DESC, ordinal
), ranked AS (
  SELECT best.*, greatest(inside, ${toBonus("series", "place")}) AS bonus FROM best
), hit AS (
  SELECT ranked.*, score + bonus AS total FROM ranked WHERE matched OR bonus > 0
  ORDER BY block_id = (SELECT block_id FROM labelled) DESC NULLS LAST, total DESC LIMIT $5::integer + ${TIES}
)
SELECT block.*, round(hit.total::numeric, 4)::float8 AS score, round(hit.lexical::numeric, 4)::float8 AS lexical,
  round(hit.cosine::numeric, 4)::float8 AS cosine, round(hit.bonus::numeric, 4)::float8 AS bonus,
  (SELECT json_agg(json_build_array(start, "end") ORDER BY fused.score DESC, ordinal) FROM fused WHERE fused.block_id = hit.block_id) AS passages
FROM hit CROSS JOIN LATERAL (
  SELECT ${BLOCK_COLUMNS}, block.key = $3 AS named, block.updated_at AS changed FROM dispatch_memory.block WHERE owner = $1 AND id = hit.block_id OFFSET 0
) AS block
ORDER BY block.named DESC, round(hit.total::numeric, 4) DESC, array_position(ARRAY['core', 'working', 'archival'], block.tier), block.changed DESC, block.id
LIMIT $5::integer`;
}

/** The conditions that narrow the search to a tier and leave out superseded blocks. `id` is the column with a passage's id. */
function toScope(tier: boolean, superseded: boolean): (id: string) => string {
  const passagesOf = (table: string, id: string, condition: string): string =>
    `SELECT narrow.id FROM dispatch_memory.${table} JOIN dispatch_memory.passage AS narrow
      ON narrow.owner = $1 AND narrow.block_id = ${table}.${id} WHERE ${table}.owner = $1${condition}`;
  const ofTier = passagesOf("block", "id", " AND block.tier = $4::text");
  const gone = passagesOf("supersession", "block_id", "");
  return (id) => `${tier ? ` AND ${id} IN (${ofTier})` : ""}${superseded ? "" : ` AND ${id} NOT IN (${gone})`}`;
}

function toDense({ store, space, dimensions, indexed }: SearchedVectors, scope: string) {
  const stored = indexed ? `(embedding.vector::${store.schema}.vector(${dimensions}))` : "embedding.vector";
  const distance = (vector: string): string => `${stored} OPERATOR(${store.schema}.<=>) ${vector}`;
  const toAsked = distance("(SELECT vector FROM asked)");
  // The distance to a vector of zeros is NaN.
  return {
    asked: `asked AS MATERIALIZED (
  SELECT $6::${store.schema}.vector AS vector${indexed ? `, ${SCAN}` : ""}
)`,
    leg: `dense AS MATERIALIZED (
  SELECT id, row_number() OVER (ORDER BY distance, id) AS rank FROM (
    SELECT embedding.passage AS id, ${toAsked} AS distance FROM dispatch_memory.embedding
    WHERE embedding.owner = $1 AND embedding.space = ${space}${scope}
    ORDER BY ${toAsked} LIMIT ${DENSE_CANDIDATES}
  ) AS nearest WHERE 1 - distance >= $8::float8 AND distance <> 'NaN'
)`,
    join: `
  LEFT JOIN LATERAL (
    SELECT nullif(1 - (${distance("asked.vector")}), 'NaN') AS cosine FROM dispatch_memory.embedding
    WHERE owner = $1 AND space = ${space} AND passage = candidate.id OFFSET 0
  ) AS near ON true`,
  };
}

function toBonus(stream: string, place: string): string {
  return NEIGHBOURS.map((part, at) => {
    const one = (side: string): string =>
      `max(score) OVER (PARTITION BY ${stream} ORDER BY ${place} RANGE BETWEEN ${at + 1} ${side} AND ${at + 1} ${side})`;
    return `${part} * (greatest(score, ${one("PRECEDING")}, ${one("FOLLOWING")}) - score)`;
  }).join(" + ");
}

import { BLOCK_COLUMNS } from "./block-rows.ts";
import type { VectorStore } from "./vector-store.ts";

/** BM25's usual constants (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009). */
const K1 = 1.2;
const B = 0.75;

/** How many passages each leg puts up. Up to it BM25 is exact; of more, those count whose query words are rarest. */
const LEXICAL_CANDIDATES = 200;
/** See above. */
export const DENSE_CANDIDATES = 100;

/** Of so many of the best of each leg the neighbours are looked at too. */
const LEADERS = 20;

/**
 * What a passage or block gains from the best neighbour at each distance, as a part of that neighbour's own score. Halves
 * with each step; fitted on two conversations of LoCoMo, where it adds ten points of recall, and confirmed on three others.
 */
const NEIGHBOURS = [0.5, 0.25, 0.125] as const;

/** The vectors that are searched. */
export interface SearchedVectors {
  /** Where they are. */
  readonly store: VectorStore;
  /** Their space. */
  readonly space: number;
  /** How many numbers each has. */
  readonly dimensions: number;
  /** Whether the space has an index for nearest neighbours. */
  readonly indexed: boolean;
}

/** What the text of the statement depends on; everything else is a parameter. */
export interface StatementShape {
  /** Search one tier (`$4`) alone. */
  readonly tier: boolean;
  /** Find superseded blocks too. */
  readonly superseded: boolean;
  /** `undefined`: search by words alone. */
  readonly vectors: SearchedVectors | undefined;
}

/**
 * The search: `$1` owner, `$2` query, `$3` the query as the key of a label, `$4` tier, `$5` limit, `$6` the query's vector,
 * `$7` the weight of vectors, `$8` the least cosine of a hit by vector alone.
 *
 * Any word of the query may match. Both legs put up candidates, their neighbours join them, and every candidate gets both
 * scores: BM25, and cosine where it has a vector. Each is brought to 0 to 1 within the query, and the two are weighed
 * (convex fusion: Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", 2023). A block scores as
 * its best passage. When no word matches anything, a text that holds the query as it stands scores as if all words did.
 */
export function toSearchStatement({ tier, superseded, vectors }: StatementShape): string {
  const scope = toScope(tier, superseded);
  const dense = vectors === undefined ? undefined : toDense(vectors, tier, superseded);
  return `
WITH term AS MATERIALIZED (
  SELECT lexeme, ('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''')::tsquery AS query
  FROM unnest(to_tsvector('pg_catalog.english', translate($2::text, '_./:', '    '))) UNION
  SELECT lexeme, ('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''')::tsquery
  FROM unnest(to_tsvector('pg_catalog.english', $2::text))
), corpus AS MATERIALIZED (
  SELECT count(*)::float8 AS passages, greatest(avg(length), 1)::float8 AS length
  FROM dispatch_memory.passage WHERE owner = $1${scope("passage.block_id")}
), found AS MATERIALIZED (
  SELECT passage.id, passage.length, term.lexeme FROM term JOIN dispatch_memory.passage
    ON passage.owner = $1 AND passage.words @@ term.query${scope("passage.block_id")}
), weight AS MATERIALIZED (
  SELECT found.lexeme, ln(1 + (corpus.passages - count(*) + 0.5) / (count(*) + 0.5)) AS idf
  FROM found CROSS JOIN corpus GROUP BY found.lexeme, corpus.passages
), lexical AS MATERIALIZED (
  SELECT found.id, row_number() OVER (ORDER BY sum(weight.idf) DESC, found.length, found.id) AS rank
  FROM found JOIN weight USING (lexeme) GROUP BY found.id, found.length ORDER BY rank LIMIT ${LEXICAL_CANDIDATES}
), literal AS MATERIALIZED (
  SELECT passage.id FROM dispatch_memory.block JOIN dispatch_memory.passage
    ON passage.owner = $1 AND passage.block_id = block.id AND passage.ordinal = 0
  WHERE block.owner = $1 AND NOT EXISTS (SELECT 1 FROM found)
    AND strpos(lower(block.label || ' ' || block.content), lower($2::text)) > 0${scope("block.id")}
  LIMIT ${LEXICAL_CANDIDATES}
), labelled AS MATERIALIZED (
  SELECT passage.id FROM dispatch_memory.block JOIN dispatch_memory.passage
    ON passage.owner = $1 AND passage.block_id = block.id AND passage.ordinal = 0
  WHERE block.owner = $1 AND block.key = $3${scope("block.id", true)}
), ${dense === undefined ? "" : `${dense.leg}, `}matched AS MATERIALIZED (
  SELECT id, rank FROM lexical UNION ALL SELECT id, 1 FROM literal UNION ALL SELECT id, 1 FROM labelled${dense === undefined ? "" : " UNION ALL SELECT id, rank FROM dense"}
), candidate AS MATERIALIZED (
  SELECT id FROM matched UNION
  SELECT beside.id FROM matched
    JOIN dispatch_memory.passage ON passage.owner = $1 AND passage.id = matched.id
    JOIN dispatch_memory.passage AS beside ON beside.owner = $1 AND beside.series = passage.series
      AND beside.place BETWEEN passage.place - ${NEIGHBOURS.length} AND passage.place + ${NEIGHBOURS.length}
  WHERE matched.rank <= ${LEADERS}${scope("beside.block_id")}
), bm25 AS MATERIALIZED (
  SELECT passage.id, sum(weight.idf * cardinality(word.positions) * ${K1 + 1}
    / (cardinality(word.positions) + ${K1} * (1 - ${B} + ${B} * passage.length / corpus.length))) AS score
  FROM candidate
  JOIN dispatch_memory.passage ON passage.owner = $1 AND passage.id = candidate.id
  CROSS JOIN corpus
  CROSS JOIN LATERAL unnest(passage.words) AS word
  JOIN weight ON weight.lexeme = word.lexeme
  GROUP BY passage.id
), scored AS MATERIALIZED (
  SELECT passage.id, passage.block_id, passage.ordinal, passage.start, passage."end", passage.series, passage.place,
    coalesce(bm25.score, 0) AS lexical, candidate.id IN (SELECT id FROM literal) AS literal,
    candidate.id IN (SELECT id FROM matched) AS matched, ${dense === undefined ? "NULL::float8" : dense.cosine} AS cosine
  FROM candidate
  JOIN dispatch_memory.passage ON passage.owner = $1 AND passage.id = candidate.id
  LEFT JOIN bm25 ON bm25.id = candidate.id${dense === undefined ? "" : dense.join}
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
  SELECT DISTINCT ON (block_id) block_id, coalesce(series, block_id) AS series, place, score, lexical, cosine, inside
  FROM piece ORDER BY block_id, score + inside DESC, ordinal
), hit AS (
  SELECT best.*, greatest(inside, ${toBonus("series", "place")}) AS bonus FROM best
), shown AS (
  SELECT block_id, bool_or(matched) AS matched, json_agg(json_build_array(start, "end") ORDER BY score DESC, ordinal) AS passages
  FROM fused GROUP BY block_id
)
SELECT ${BLOCK_COLUMNS}, round((hit.score + hit.bonus)::numeric, 4)::float8 AS score, round(hit.lexical::numeric, 4)::float8 AS lexical,
  round(hit.cosine::numeric, 4)::float8 AS cosine, round(hit.bonus::numeric, 4)::float8 AS bonus, shown.passages
FROM hit JOIN shown USING (block_id) JOIN dispatch_memory.block ON block.owner = $1 AND block.id = hit.block_id
WHERE shown.matched OR hit.bonus > 0
ORDER BY (block.key = $3) DESC, hit.score + hit.bonus DESC, array_position(ARRAY['core', 'working', 'archival'], block.tier),
  block.updated_at DESC, block.id
LIMIT $5::integer`;
}

/** Narrows to the blocks searched: `id` names the column that holds the block's id. A block that is asked for by its label is found even when it is superseded. */
function toScope(tier: boolean, superseded: boolean): (id: string, labelled?: boolean) => string {
  const ofTier = "SELECT block.id FROM dispatch_memory.block WHERE block.owner = $1 AND block.tier = $4::text";
  const gone = "SELECT s.block_id FROM dispatch_memory.supersession AS s WHERE s.owner = $1";
  return (id, labelled = false) =>
    `${tier ? ` AND ${id} IN (${ofTier})` : ""}${superseded || labelled ? "" : ` AND ${id} NOT IN (${gone})`}`;
}

function toDense({ store, space, dimensions, indexed }: SearchedVectors, tier: boolean, superseded: boolean) {
  const stored = indexed ? `(embedding.vector::${store.schema}.vector(${dimensions}))` : "embedding.vector";
  const distance = `${stored} OPERATOR(${store.schema}.<=>) $6::${store.schema}.vector`;
  const scope = toScope(tier, superseded)("passage.block_id");
  const narrow =
    scope === ""
      ? ""
      : ` AND EXISTS (SELECT 1 FROM dispatch_memory.passage WHERE passage.owner = $1 AND passage.id = embedding.passage${scope})`;
  // NaN: the distance to a vector of zeros.
  return {
    leg: `dense AS MATERIALIZED (
  SELECT id, row_number() OVER (ORDER BY distance, id) AS rank FROM (
    SELECT embedding.passage AS id, ${distance} AS distance FROM dispatch_memory.embedding
    WHERE embedding.owner = $1 AND embedding.space = ${space}${narrow}
    ORDER BY ${distance} LIMIT ${DENSE_CANDIDATES}
  ) AS nearest WHERE 1 - distance >= $8::float8 AND distance <> 'NaN'
)`,
    cosine: `nullif(1 - (${distance}), 'NaN')`,
    join: `
  LEFT JOIN dispatch_memory.embedding ON embedding.owner = $1 AND embedding.space = ${space} AND embedding.passage = candidate.id`,
  };
}

function toBonus(stream: string, place: string): string {
  return NEIGHBOURS.map((part, at) => {
    const one = (side: string): string =>
      `coalesce(max(score) OVER (PARTITION BY ${stream} ORDER BY ${place} RANGE BETWEEN ${at + 1} ${side} AND ${at + 1} ${side}), 0)`;
    return `${part} * greatest(${one("PRECEDING")}, ${one("FOLLOWING")})`;
  }).join(" + ");
}

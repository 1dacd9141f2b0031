import {
  GUESSED,
  type Candidate,
  type Candidates,
  type CandidateSearch,
  toFilterConditions,
  DENSE_CANDIDATES,
  NEIGHBOUR_DISTANCE,
  hiddenBlocks,
} from "../database/candidate.ts";
import type { SqlQuery } from "../database/database.ts";
import { closestTerms, firstLetters, toMisspelt } from "../text/closest-terms.ts";
import { toSearchTerms } from "../text/search-terms.ts";
import { isIndexed, findSchema, toVectorText } from "./vector-store.ts";

interface Row extends Omit<Candidate, "id" | "words"> {
  readonly id: number | string;
  readonly words: string | null;
  readonly passageLength: number;
  readonly blockLength: number;
  /** In one row: the terms with their inverse document frequencies, as a JSON object. */
  readonly terms: string | null;
}

/** For this time a space that had no index is taken to have none. */
const RECHECK_MS = 10_000;

/** Number of an owner's latest passages whose words are compared with misspelt ones. */
const COMPARED_PASSAGES = 2_000;

/** Finds candidates with one statement, or with three when a word of the query is misspelt. */
export function createCandidateFinder(sql: SqlQuery): (owner: string, search: CandidateSearch) => Promise<Candidates> {
  const known = new Map<number, { readonly vectors: SearchedVectors; readonly at: number }>();
  const toVectors = async (space: number, dimensions: number): Promise<SearchedVectors | undefined> => {
    const found = known.get(space);
    if (found !== undefined && (found.vectors.indexed || performance.now() - found.at < RECHECK_MS))
      return found.vectors;
    const schema = found?.vectors.schema ?? (await findSchema(sql));
    if (schema === undefined) return undefined;
    const vectors = { schema, space, dimensions, indexed: await isIndexed(sql, space) };
    known.set(space, { vectors, at: performance.now() });
    return vectors;
  };
  return async (owner, { query, key, filter, superseded, vector, breadth }) => {
    const vectors = vector && (await toVectors(vector.space, vector.unit.length));
    const statement = toCandidateStatement({ filter, superseded, breadth, vectors });
    const text = vector === undefined ? null : toVectorText(vector.unit);
    const run = async (words: readonly string[]) => {
      const params = [owner, query, key, JSON.stringify(filter), text, vector?.floor ?? 0, JSON.stringify(words)];
      const found = await sql.query<Row>(statement, params);
      const idfs = found.find((row) => row.terms !== null)?.terms ?? "{}";
      return { rows: found, terms: new Map(Object.entries(JSON.parse(idfs) as Record<string, number>)) };
    };
    const tokens = toSearchTerms(query);
    let { rows, terms } = await run(tokens);
    const isLiteral = rows.some((row) => row.isLiteral);
    const misspelt = breadth.vocabulary === 0 || isLiteral ? [] : toMisspelt(tokens, terms);
    const guesses = misspelt.length === 0 ? [] : await guess(sql, owner, misspelt);
    if (guesses.length > 0) {
      ({ rows, terms } = await run([...tokens, ...guesses]));
      const asked = new Set(tokens);
      for (const [term, idf] of terms) if (!asked.has(term)) terms.set(term, idf * GUESSED);
    }
    return {
      terms,
      passageLength: rows[0]?.passageLength ?? 1,
      blockLength: rows[0]?.blockLength ?? 1,
      passages: rows.map(({ terms: _, passageLength: __, blockLength: ___, ...row }) => ({
        ...row,
        id: Number(row.id),
        words: row.words ?? "",
      })),
    };
  };
}

/** The words that misspelt ones may be. */
async function guess(sql: SqlQuery, owner: string, misspelt: readonly string[]): Promise<readonly string[]> {
  const found = await sql.query<{ lexeme: string }>(
    `SELECT DISTINCT word.lexeme FROM (
       SELECT words FROM dispatch_memory.passage WHERE owner = $1 ORDER BY id DESC LIMIT ${COMPARED_PASSAGES}
     ) AS latest CROSS JOIN LATERAL unnest(latest.words) AS word
     WHERE left(word.lexeme, 1) IN (SELECT json_array_elements_text($2::text::json))`,
    [owner, JSON.stringify(misspelt.flatMap(firstLetters))],
  );
  return misspelt.flatMap((term) => {
    const letters = firstLetters(term);
    const words = found.map(({ lexeme }) => lexeme).filter((word) => letters.some((letter) => word.startsWith(letter)));
    return closestTerms(term, words);
  });
}

/** The index's `ef_search`. With `DENSE_CANDIDATES` it missed a quarter of the nearest, with twice as many an eighth. */
const BREADTH = 2 * DENSE_CANDIDATES;

/**
 * Sets the index's scan options for this statement only. They take effect before the scan, which needs the vector of the same
 * row. Without `iterative_scan`, an index shared by several owners would return too few passages of one.
 */
const SCAN = `set_config('hnsw.ef_search', '${BREADTH}', true) AS breadth,
    set_config('hnsw.iterative_scan', 'relaxed_order', true) AS goes_on`;

/** The vectors to search. */
interface SearchedVectors {
  /** The schema of pgvector, quoted for SQL. */
  readonly schema: string;
  readonly space: number;
  readonly dimensions: number;
  /** Whether the space has an index for nearest neighbours. */
  readonly indexed: boolean;
}

/** The options that change the text of the statement. Everything else is a parameter. */
interface StatementShape extends Pick<CandidateSearch, "filter" | "superseded" | "breadth"> {
  /** `undefined`: search by words only. */
  readonly vectors: SearchedVectors | undefined;
}

/**
 * The statement that finds candidates. `$1` owner, `$2` query, `$3` the query as the key of a label, `$4` the filter as JSON, `$5` the
 * query's vector, `$6` the lowest cosine of a hit by vector only, `$7` the query's terms as a JSON array.
 */
function toCandidateStatement({ filter, superseded, breadth, vectors }: StatementShape): string {
  const wanted = toFilterConditions(filter, "$4::text::json", "::timestamptz");
  const scope = toScope(wanted, superseded);
  const dense = vectors === undefined ? undefined : toDense(vectors, scope("embedding.passage"));
  return `
WITH ${dense === undefined ? "unused AS (SELECT $4::text, $5::text, $6::float8)" : `unused AS (SELECT $4::text), ${dense.asked}`}, term AS MATERIALIZED (
  SELECT lexeme,
    ('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''')::tsquery AS query
  FROM (SELECT DISTINCT value AS lexeme FROM json_array_elements_text($7::text::json) AS asked(value)) AS sought
), corpus AS MATERIALIZED (
  SELECT passages::float8 AS passages, greatest(length::float8 / nullif(passages, 0), 1) AS length,
    (SELECT min(id) FROM dispatch_memory.passage WHERE owner = $1) - 1 AS before,
    (SELECT max(id) FROM dispatch_memory.passage WHERE owner = $1) AS last
  FROM dispatch_memory.corpus WHERE owner = $1
), weight AS MATERIALIZED (
  SELECT lexeme, ids, lengths, ln(1 + (passages - documents + 0.5) / (documents + 0.5)) AS idf
  FROM term CROSS JOIN corpus CROSS JOIN LATERAL (
    SELECT array_agg(id) AS ids, array_agg(length) AS lengths, CASE WHEN count(*) < ${breadth.matches} THEN count(*)
      ELSE least(count(*) * (corpus.last - corpus.before)::float8 / (max(id) - corpus.before), corpus.passages) END AS documents
    FROM (SELECT id, length FROM dispatch_memory.passage WHERE owner = $1 AND words @@ term.query LIMIT ${breadth.matches}) AS passage
    HAVING count(*) > 0
  ) AS found
), lexical AS MATERIALIZED (
  SELECT id, row_number() OVER () AS rank FROM (
    SELECT found.id FROM weight CROSS JOIN LATERAL unnest(ids, lengths) AS found(id, length) WHERE true${scope("found.id")} GROUP BY found.id, found.length
    ORDER BY sum(weight.idf) DESC, found.length, found.id LIMIT ${breadth.lexical}
  ) AS rarest
), literal AS MATERIALIZED (
  SELECT passage.id FROM dispatch_memory.block JOIN dispatch_memory.passage
    ON passage.owner = $1 AND passage.block_id = block.id AND passage.ordinal = 0
  WHERE block.owner = $1 AND NOT EXISTS (SELECT 1 FROM weight)
    AND strpos(lower(block.label || ' ' || block.content), lower($2::text)) > 0${scope("passage.id")}
  LIMIT ${breadth.lexical}
), labelled AS MATERIALIZED (
  SELECT passage.id, block.id AS block_id FROM dispatch_memory.block JOIN dispatch_memory.passage
    ON passage.owner = $1 AND passage.block_id = block.id AND passage.ordinal = 0
  WHERE block.owner = $1 AND block.key = $3${wanted === "" ? "" : ` AND ${wanted}`}
), ${dense === undefined ? "" : `${dense.leg}, `}matched AS MATERIALIZED (
  SELECT id, rank FROM lexical UNION ALL SELECT id, 1 FROM literal UNION ALL SELECT id, 1 FROM labelled${dense === undefined ? "" : " UNION ALL SELECT id, rank FROM dense"}
), candidate AS MATERIALIZED (
  SELECT id FROM matched UNION
  SELECT beside.id FROM matched
    CROSS JOIN LATERAL (SELECT series, place FROM dispatch_memory.passage WHERE owner = $1 AND id = matched.id OFFSET 0) AS leader
    CROSS JOIN LATERAL (SELECT id FROM dispatch_memory.passage WHERE owner = $1 AND series = leader.series AND ordinal = 0
      AND place BETWEEN leader.place - ${NEIGHBOUR_DISTANCE} AND leader.place + ${NEIGHBOUR_DISTANCE}${scope("id")} OFFSET 0) AS beside
  WHERE matched.rank <= ${breadth.leaders}
), listed AS MATERIALIZED (
  SELECT id FROM candidate UNION
  SELECT other.id FROM candidate
    CROSS JOIN LATERAL (SELECT block_id FROM dispatch_memory.passage WHERE owner = $1 AND id = candidate.id OFFSET 0) AS found
    CROSS JOIN LATERAL (SELECT id FROM dispatch_memory.passage WHERE owner = $1 AND block_id = found.block_id
      AND ordinal < ${breadth.blockPassages} OFFSET 0) AS other
)
SELECT listed.id, passage.block_id AS "blockId", ordinal, start, "end", series, place, passage.length, words,
  listed.id IN (SELECT id FROM literal) AS "isLiteral", listed.id IN (SELECT id FROM matched) AS "isMatched",
  passage.block_id IN (SELECT block_id FROM labelled) AS "isNamed",
  ${dense === undefined ? "NULL::float8" : "near.cosine"} AS cosine, corpus.length AS "passageLength",
  corpus.length * corpus.passages / greatest((SELECT blocks FROM dispatch_memory.owner WHERE owner = $1), 1) AS "blockLength",
  CASE WHEN row_number() OVER () = 1 THEN (SELECT json_object_agg(lexeme, idf)::text FROM weight) END AS terms
FROM listed CROSS JOIN corpus${dense === undefined ? "" : " CROSS JOIN asked"}
CROSS JOIN LATERAL (
  SELECT block_id, ordinal, start, "end", series, place, length,
    (SELECT string_agg(repeat(lexeme || ' ', cardinality(positions)), '') FROM unnest(words)) AS words
  FROM dispatch_memory.passage WHERE owner = $1 AND id = listed.id OFFSET 0
) AS passage${dense === undefined ? "" : dense.join}`;
}

/** The conditions that narrow the search to wanted blocks and leave out superseded ones. `id` is the column with a passage's id. */
function toScope(wanted: string, superseded: boolean): (id: string) => string {
  const passagesOf = (blocks: string): string =>
    `SELECT narrow.id FROM (${blocks}) AS chosen (id) JOIN dispatch_memory.passage AS narrow
      ON narrow.owner = $1 AND narrow.block_id = chosen.id`;
  const allowed = passagesOf(`SELECT id FROM dispatch_memory.block WHERE owner = $1 AND ${wanted}`);
  const gone = passagesOf(hiddenBlocks());
  return (id) =>
    `${wanted === "" ? "" : ` AND ${id} IN (${allowed})`}${superseded ? "" : ` AND ${id} NOT IN (${gone})`}`;
}

function toDense({ schema, space, dimensions, indexed }: SearchedVectors, scope: string) {
  const stored = indexed ? `(embedding.vector::${schema}.vector(${dimensions}))` : "embedding.vector";
  const distance = (vector: string): string => `${stored} OPERATOR(${schema}.<=>) ${vector}`;
  const toAsked = distance("(SELECT vector FROM asked)");
  // The distance to a vector of zeros is NaN.
  return {
    asked: `asked AS MATERIALIZED (
  SELECT $5::${schema}.vector AS vector${indexed ? `, ${SCAN}` : ""}
)`,
    leg: `dense AS MATERIALIZED (
  SELECT id, row_number() OVER (ORDER BY distance, id) AS rank FROM (
    SELECT embedding.passage AS id, ${toAsked} AS distance FROM dispatch_memory.embedding
    WHERE embedding.owner = $1 AND embedding.space = ${space}${scope}
    ORDER BY ${toAsked} LIMIT ${DENSE_CANDIDATES}
  ) AS nearest WHERE 1 - distance >= $6::float8 AND distance <> 'NaN'
)`,
    join: `
  LEFT JOIN LATERAL (
    SELECT nullif(1 - (${distance("asked.vector")}), 'NaN') AS cosine FROM dispatch_memory.embedding
    WHERE owner = $1 AND space = ${space} AND passage = listed.id OFFSET 0
  ) AS near ON true`,
  };
}

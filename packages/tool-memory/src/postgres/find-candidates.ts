import { GUESSED, type Candidate, type Candidates, type CandidateSearch } from "../database/candidate.ts";
import type { SqlQuery } from "../database/sql.ts";
import { closestTerms, firstLetters, toMisspelt } from "../text/closest-terms.ts";
import { toSearchTerms } from "../text/search-terms.ts";
import { toCandidateStatement, type SearchedVectors } from "./candidate-statement.ts";
import { isIndexed } from "./vector-index.ts";
import { findSchema } from "./vector-store.ts";
import { toVectorText } from "./vector-text.ts";

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

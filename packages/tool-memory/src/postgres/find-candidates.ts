import type { Candidate, Candidates, CandidateSearch } from "../database/candidate.ts";
import type { SqlQuery } from "../database/sql.ts";
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

/** Finds candidates with one statement. */
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
    const params = [
      owner,
      query,
      key,
      JSON.stringify(filter),
      text,
      vector?.floor ?? 0,
      JSON.stringify(toSearchTerms(query)),
    ];
    const rows = await sql.query<Row>(statement, params);
    const terms = JSON.parse(rows.find((row) => row.terms !== null)?.terms ?? "{}") as Readonly<Record<string, number>>;
    return {
      terms: new Map(Object.entries(terms)),
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

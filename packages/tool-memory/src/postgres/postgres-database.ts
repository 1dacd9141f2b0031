import type {
  Changes,
  Database,
  Query,
  PipelinedQuery,
  Sql,
  SqlQuery,
  ChangeStatement,
  Dialect,
  PassageChange,
} from "../database/database.ts";
import { selectFound, toFoundBlock, type FoundRow } from "../rows/block-rows.ts";
import { rankHits } from "../search/ranking.ts";
import { MemoryError } from "../text/memory-error.ts";
import { toSearchTerms } from "../text/search-terms.ts";
import { createCandidateFinder } from "./find-candidates.ts";
import { openVectorStore } from "./vector-store.ts";

/** The database of a memory on a PostgreSQL server. */
export function toPostgresDatabase(sql: Sql): Database {
  const findCandidates = createCandidateFinder(sql);
  const search: Database["search"] = async (owner, asked) => {
    const { ids, toHits } = rankHits(asked, await findCandidates(owner, asked));
    const rows = await sql.query<FoundRow>(selectFound(postgresDialect), [owner, JSON.stringify(ids)]);
    return toHits(rows.map(toFoundBlock));
  };
  return {
    ...toQuery(sql),
    isReadOnly: false,
    transaction: (work) => sql.transaction((tx) => work(toQuery(tx))),
    openVectors: () => openVectorStore(sql),
    search,
    searchWords: search,
    // A server cleans up by itself, and its administrator has amcheck and checksums for the rest.
    reclaim: async () => undefined,
    check: async () => undefined,
    checkSearch: async () => undefined,
    async backup() {
      throw new MemoryError(
        "Cannot copy the memory: it is on a server, allowed is the copy of a directory; use pg_dump",
        "memory_options",
      );
    },
    close: () => sql.close(),
  };
}

function toQuery(sql: SqlQuery | PipelinedQuery): Query {
  return {
    dialect: postgresDialect,
    query: (text, params) => sql.query(text, params),
    // All parts see the rows as they were before the statement.
    async change({ parts, params }: Changes) {
      const text = `WITH ${parts.map((part) => `${part.name} AS (${part.text})`).join(", ")} SELECT 1 AS one`;
      if ("send" in sql) sql.send(text, params);
      else await sql.query(text, params);
    },
  };
}

/** The SQL of PostgreSQL. */
const postgresDialect: Dialect = Object.freeze({
  iso: (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  time: (seconds?: string) =>
    seconds === undefined ? "clock_timestamp()" : `clock_timestamp() + make_interval(secs => ${seconds}::float8)`,
  lock: (table: string, others?: "skip") => ` FOR UPDATE OF ${table}${others === undefined ? "" : " SKIP LOCKED"}`,
  // A statement that waited for a lock sees the locked row anew, and others as they were when it began.
  seesLatest: false,
  list: (placeholder: string, type: "text" | "bigint") =>
    `(SELECT value::${type} FROM json_array_elements_text(${placeholder}::text::json) AS value)`,
  contains: (columns: string, placeholder: string) =>
    `strpos(lower(concat_ws(' ', ${columns})), lower(${placeholder}::text)) > 0`,
  intact: (table: "block" | "mutation", column: string, alias: string = table) => `${alias}.${column}`,
  order: (table: string) => `${table}.id`,
  writePassages,
});

/** Rewrites a block's passages. The words of its label are words of each. */
function writePassages(
  statement: ChangeStatement,
  { owner, blockId, label, series, isRewritten, keepsPlace, from, pieces }: PassageChange,
): void {
  const whose = statement.value(owner);
  const id = statement.value(blockId);
  const sequence = `${statement.value(series)}::text`;
  if (isRewritten) {
    statement.add(
      "passage_gone",
      `DELETE FROM dispatch_memory.passage WHERE owner = ${whose} AND block_id = ${id} AND ordinal >= ${statement.value(from)}
       RETURNING place`,
    );
  }
  const places = [
    ...(keepsPlace ? ["(SELECT place FROM passage_gone LIMIT 1)"] : []),
    `(SELECT max(place) FROM dispatch_memory.passage WHERE owner = ${whose} AND series = ${sequence} AND block_id <> ${id}) + 1`,
    "1",
  ];
  const rows = pieces.map(({ ordinal, start, end, body }) => {
    const terms = toSearchTerms(`${label} ${body}`);
    return { ordinal, start, end, length: terms.length, words: toVectorText(terms) };
  });
  statement.add(
    "passage_added",
    `INSERT INTO dispatch_memory.passage (owner, block_id, ordinal, start, "end", series, place, length, words)
     SELECT ${whose}, ${id}, piece.ordinal, piece.start, piece."end", ${sequence}, position.place, piece.length, piece.words::tsvector
     FROM (SELECT coalesce(${places.join(", ")}) AS place) AS position
     CROSS JOIN json_to_recordset(${statement.value(JSON.stringify(rows))}::text::json)
       AS piece(ordinal integer, start integer, "end" integer, length integer, words text)`,
  );
}

/** PostgreSQL's text format of search terms with their positions. A term holds letters, marks and digits alone. */
function toVectorText(terms: readonly string[]): string {
  return terms.map((term, at) => `'${term}':${at + 1}`).join(" ");
}

import type { Changes, Database, Query } from "../database/database.ts";
import { selectSequenced, toFoundBlock, type FoundRow } from "../database/ranked-hit.ts";
import type { PipelinedQuery, Sql, SqlQuery } from "../database/sql.ts";
import { rankHits } from "../search/ranking.ts";
import { MemoryError } from "../text/memory-error.ts";
import { createCandidateFinder } from "./find-candidates.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { openVectorStore } from "./vector-store.ts";

/** The database of a memory on a PostgreSQL server. */
export function toPostgresDatabase(sql: Sql): Database {
  const findCandidates = createCandidateFinder(sql);
  const find: Database["search"] = async (owner, search) => {
    const { ids, toHits } = rankHits(search, await findCandidates(owner, search));
    const found = await sql.query<FoundRow & { readonly seq: number }>(selectSequenced(postgresDialect), [
      owner,
      JSON.stringify(ids),
    ]);
    return toHits(found.map(toFoundBlock));
  };
  return {
    ...toQuery(sql),
    isReadOnly: false,
    transaction: (work) => sql.transaction((tx) => work(toQuery(tx))),
    openVectors: () => openVectorStore(sql),
    search: find,
    searchWords: async (owner, search) => (await find(owner, search)).map(({ block }) => block),
    reclaim: async () => sql.reclaim?.(),
    // A server's administrator has amcheck and checksums for this.
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

import type { SqlQuery } from "./sql.ts";
import type { VectorStore } from "./vector-store.ts";

/**
 * From so many vectors on an index finds the nearest. To look at each is exact and takes the embedded database 1 ms for every
 * 1,000; to make the index takes it some seconds, once, in which it answers nothing.
 */
const INDEX_FROM = 10_000;

/** The names of the indexes, before the number of the space. */
export const INDEX = "embedding_hnsw_";

/**
 * Gives a space an index for nearest neighbours (HNSW) when an owner has enough vectors in it. On a server searches and
 * writes go on meanwhile; the embedded database answers nothing until it is done.
 */
export async function indexSpace(
  sql: SqlQuery,
  store: VectorStore,
  owner: string,
  space: number,
  dimensions: number,
  from = INDEX_FROM,
): Promise<void> {
  const state = await stateOf(sql, space);
  if (state === "valid" || state === "building") return;
  const rows = await sql.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM dispatch_memory.embedding WHERE owner = $1 AND space = $2::integer",
    [owner, space],
  );
  if ((rows[0]?.count ?? 0) < from) return;
  if (state === "broken") await sql.query(`DROP INDEX CONCURRENTLY dispatch_memory.${nameOf(space)}`);
  await sql.query(
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${nameOf(space)} ON dispatch_memory.embedding
     USING hnsw ((vector::${store.schema}.vector(${dimensions})) ${store.schema}.vector_cosine_ops) WHERE space = ${space}`,
  );
}

/** `broken` is what a process leaves that dies while it makes an index. */
async function stateOf(sql: SqlQuery, space: number): Promise<"none" | "valid" | "building" | "broken"> {
  const rows = await sql.query<{ valid: boolean; building: boolean }>(
    `SELECT indisvalid AS valid, EXISTS (
       SELECT 1 FROM pg_catalog.pg_stat_progress_create_index AS progress WHERE progress.index_relid = pg_index.indexrelid
     ) AS building FROM pg_catalog.pg_index WHERE indexrelid = to_regclass($1)`,
    [`dispatch_memory.${nameOf(space)}`],
  );
  const row = rows[0];
  if (row === undefined) return "none";
  if (row.valid) return "valid";
  return row.building ? "building" : "broken";
}

function nameOf(space: number): string {
  return `${INDEX}${space}`;
}

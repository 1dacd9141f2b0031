import type { Sql, SqlQuery } from "../database/sql.ts";
import type { VectorStore } from "./vector-store.ts";

/**
 * Number of vectors from which an index is used. Without it a search is exact and takes the embedded database 1 ms for every
 * 1,000 vectors. Making the index blocks the embedded database for some seconds, with many more vectors for minutes.
 */
const INDEX_FROM = 10_000;

/** The prefix of the indexes' names; the number of the embedding space follows. */
export const INDEX = "embedding_hnsw_";

/**
 * Creates the index for nearest neighbours (HNSW) of an embedding space when an owner has enough vectors in it. A server
 * continues to serve searches and writes meanwhile; the embedded database is blocked until the index is complete. Partitioned
 * tables get no index: searches compare each vector of the owner.
 */
export async function indexSpace(
  sql: Sql,
  store: VectorStore,
  owner: string,
  space: number,
  dimensions: number,
  from = INDEX_FROM,
): Promise<void> {
  const state = await stateOf(sql, space);
  if (state === "valid" || state === "building" || (await isPartitioned(sql))) return;
  const rows = await sql.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM dispatch_memory.embedding WHERE owner = $1 AND space = $2::integer",
    [owner, space],
  );
  if ((rows[0]?.count ?? 0) < from) return;
  if (state === "broken") await sql.query(`DROP INDEX CONCURRENTLY dispatch_memory.${nameOf(space)}`);
  const index = `IF NOT EXISTS ${nameOf(space)} ON dispatch_memory.embedding
     USING hnsw ((vector::${store.schema}.vector(${dimensions})) ${store.schema}.vector_cosine_ops) WHERE space = ${space}`;
  try {
    await sql.query(`CREATE INDEX CONCURRENTLY ${index}`);
  } catch (error) {
    // The leader of a directory runs each statement of another process in a transaction.
    if ((error as { code?: unknown }).code !== IN_TRANSACTION) throw error;
    await sql.transaction((tx) => tx.query(`CREATE INDEX ${index}`));
  }
}

/** SQLSTATE of a statement that cannot run in a transaction. */
const IN_TRANSACTION = "25001";

async function isPartitioned(sql: SqlQuery): Promise<boolean> {
  const rows = await sql.query(
    "SELECT 1 AS one FROM pg_catalog.pg_class WHERE oid = to_regclass('dispatch_memory.embedding') AND relkind = 'p'",
  );
  return rows.length > 0;
}

/** `broken`: a process died while it created the index. */
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

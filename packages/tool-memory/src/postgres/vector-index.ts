import type { SqlQuery } from "../database/sql.ts";

/** Number of vectors from which an index is used. Without it a search is exact. */
const INDEX_FROM = 10_000;

/** The prefix of the indexes' names; the number of the embedding space follows. */
const INDEX = "embedding_hnsw_";

/**
 * Creates the index for nearest neighbours (HNSW) of an embedding space when an owner has enough vectors in it. A server
 * continues to serve searches and writes meanwhile. Partitioned tables get no index: searches compare each vector of the
 * owner.
 */
export async function indexSpace(
  sql: SqlQuery,
  schema: string,
  owner: string,
  { id: space, dimensions }: { readonly id: number; readonly dimensions: number },
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
  await sql.query(
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${nameOf(space)} ON dispatch_memory.embedding
     USING hnsw ((vector::${schema}.vector(${dimensions})) ${schema}.vector_cosine_ops) WHERE space = ${space}`,
  );
}

/** Whether a space has a usable index. */
export async function isIndexed(sql: SqlQuery, space: number): Promise<boolean> {
  return (await stateOf(sql, space)) === "valid";
}

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

import type { UnitVector } from "../database/candidate.ts";
import type { VectorStore, Sql, SqlQuery } from "../database/database.ts";
import { countPartitions, toPartitions } from "./schema.ts";

/** Number of new vectors after which the planner's statistics are updated: autovacuum may be minutes late. */
const ANALYZE_AFTER = 2_000;

/** An arbitrary constant that never changes. */
const LOCK = "SELECT pg_advisory_xact_lock(7305808869229538406)";

/**
 * Prepares the database for vectors: creates the extension pgvector, where allowed, and the table.
 *
 * @returns `undefined` when the database has no pgvector or does not allow its use: searches then use words only.
 */
export async function openVectorStore(sql: Sql): Promise<VectorStore | undefined> {
  const schema = await prepareVectors(sql);
  if (schema === undefined) return undefined;
  let fresh = 0;
  return {
    async insert(tx, owner, { id, dimensions }, vectors) {
      const list = JSON.stringify(vectors.map((made) => ({ id: made.id, vector: toVectorText(made.vector) })));
      await tx.query(
        `WITH made AS (SELECT * FROM json_to_recordset($3::text::json) AS made(id bigint, vector text)),
         freed AS (DELETE FROM dispatch_memory.embedding_claim
           WHERE owner = $1 AND space = $2::integer AND passage IN (SELECT id FROM made)),
         kept AS (SELECT passage.id FROM dispatch_memory.passage WHERE owner = $1 AND id IN (SELECT id FROM made) FOR KEY SHARE)
         INSERT INTO dispatch_memory.embedding (owner, space, passage, vector)
         SELECT $1, $2::integer, made.id, made.vector::${schema}.vector(${dimensions}) FROM made JOIN kept USING (id)
         ON CONFLICT (owner, space, passage) DO NOTHING`,
        [owner, id, list],
      );
      fresh += vectors.length;
    },
    async tidy(owner, space) {
      if (fresh >= ANALYZE_AFTER) await sql.query("ANALYZE dispatch_memory.passage, dispatch_memory.embedding");
      fresh = 0;
      await indexSpace(sql, schema, owner, space);
    },
  };
}

async function prepareVectors(sql: Sql): Promise<string | undefined> {
  if ((await findSchema(sql)) === undefined) {
    const offered = await sql.query("SELECT 1 AS one FROM pg_catalog.pg_available_extensions WHERE name = 'vector'");
    if (offered.length === 0) return undefined;
    try {
      await sql.transaction(async (tx) => {
        await tx.query(LOCK);
        await tx.query("CREATE EXTENSION IF NOT EXISTS vector");
      });
    } catch {
      // This user may not create extensions. An administrator can create it at any time.
      return undefined;
    }
  }
  const schema = await findSchema(sql);
  if (schema === undefined || (await hasTable(sql))) return schema;
  await sql.transaction(async (tx) => {
    await tx.query(LOCK);
    if (await hasTable(tx)) return;
    const table = `CREATE TABLE dispatch_memory.embedding (
         owner text NOT NULL,
         space integer NOT NULL,
         passage bigint NOT NULL,
         vector ${schema}.vector NOT NULL,
         PRIMARY KEY (owner, space, passage),
         FOREIGN KEY (owner, passage) REFERENCES dispatch_memory.passage (owner, id) ON DELETE CASCADE
       )`;
    for (const statement of toPartitions(table, await countPartitions(tx))) await tx.query(statement);
    // By default a vector of 2 kB or more is stored outside its row, which makes comparisons 3.5 times slower.
    await tx.query(
      "ALTER TABLE dispatch_memory.embedding ALTER COLUMN vector SET STORAGE PLAIN, ALTER COLUMN vector SET STATISTICS 0",
    );
  });
  return schema;
}

/** Reads the catalogue: `to_regclass` may miss a table that another process created since the transaction began. */
async function hasTable(sql: SqlQuery): Promise<boolean> {
  const found = await sql.query(
    `SELECT 1 AS one FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = 'dispatch_memory' AND relname = 'embedding'`,
  );
  return found.length > 0;
}

/** The schema of pgvector, quoted for SQL; `undefined` when it is not installed. */
export async function findSchema(sql: SqlQuery): Promise<string | undefined> {
  const rows = await sql.query<{ schema: string }>(
    `SELECT quote_ident(nspname) AS schema FROM pg_catalog.pg_extension
     JOIN pg_catalog.pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'vector'`,
  );
  return rows[0]?.schema;
}

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
  if (state === "valid" || state === "building" || (await countPartitions(sql)) > 0) return;
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

/** A vector in pgvector's text format. */
export function toVectorText(vector: UnitVector): string {
  return `[${Array.from(vector, (value) => value / 10_000).join(",")}]`;
}

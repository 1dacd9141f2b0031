import type { Sql, SqlQuery } from "../database/sql.ts";
import { countPartitions } from "../schema/migrate.ts";
import { toPartitions } from "../schema/to-partitions.ts";

/** Where vectors are kept. */
export interface VectorStore {
  /** The schema of pgvector, quoted for SQL. */
  readonly schema: string;
}

/** Any constant will do as long as it never changes. */
const LOCK = "SELECT pg_advisory_xact_lock(7305808869229538406)";

/**
 * Sees to it that the database can keep vectors: the extension pgvector, created where that is allowed, and the table.
 *
 * @returns `undefined` when the database has no pgvector or does not let us use it: memory works by words then.
 */
export async function prepareVectorStore(sql: Sql): Promise<VectorStore | undefined> {
  if ((await findSchema(sql)) === undefined) {
    const offered = await sql.query("SELECT 1 AS one FROM pg_catalog.pg_available_extensions WHERE name = 'vector'");
    if (offered.length === 0) return undefined;
    try {
      await sql.transaction(async (tx) => {
        await tx.query(LOCK);
        await tx.query("CREATE EXTENSION IF NOT EXISTS vector");
      });
    } catch {
      // Not everybody may create extensions; whoever may can do so at any time.
      return undefined;
    }
  }
  const schema = await findSchema(sql);
  if (schema === undefined) return undefined;
  if (await hasTable(sql)) return { schema };
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
    // A vector of 2 kB or more would be moved out of its row, and each comparison would have to fetch it: 3.5 times as slow.
    await tx.query(
      "ALTER TABLE dispatch_memory.embedding ALTER COLUMN vector SET STORAGE PLAIN, ALTER COLUMN vector SET STATISTICS 0",
    );
  });
  return { schema };
}

/** By the catalogue's rows: what `to_regclass` answers may be as old as the transaction, and another may have made the table since. */
async function hasTable(sql: SqlQuery): Promise<boolean> {
  const found = await sql.query(
    `SELECT 1 AS one FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = 'dispatch_memory' AND relname = 'embedding'`,
  );
  return found.length > 0;
}

async function findSchema(sql: Sql): Promise<string | undefined> {
  const rows = await sql.query<{ schema: string }>(
    `SELECT quote_ident(nspname) AS schema FROM pg_catalog.pg_extension
     JOIN pg_catalog.pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'vector'`,
  );
  return rows[0]?.schema;
}

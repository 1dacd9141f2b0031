import type { PGlite } from "@electric-sql/pglite";
import type { Sql, SqlQuery } from "./sql.ts";

/**
 * After so many transactions the dead rows they left are cleared and the write-ahead log is cut: the embedded database
 * has no background processes, so nobody else does.
 */
const TRANSACTIONS_BETWEEN_VACUUMS = 500;

const tables =
  "dispatch_memory.owner, dispatch_memory.block, dispatch_memory.event, dispatch_memory.mutation, dispatch_memory.passage, dispatch_memory.embedding_claim";

/**
 * An embedded PostgreSQL.
 *
 * @param folder where it keeps its files, created when there are none; `undefined` keeps everything in memory.
 */
export async function openPglite(folder: string | undefined): Promise<Sql> {
  const { PGlite } = await import("@electric-sql/pglite");
  // Buffers of 16 MB instead of 128 save 100 MB of memory and cost nothing at this size. A log that is not recycled is
  // deleted, and with it what was forgotten.
  const startParams = [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB", "-c", "wal_recycle=off"];
  const { vector } = await import("@electric-sql/pglite-pgvector");
  const db = await PGlite.create({ dataDir: folder ?? "memory://", startParams, extensions: { vector } });
  return toSql(db);
}

function toSql(db: PGlite): Sql {
  let transactions = 0;
  let vacuuming: Promise<unknown> = Promise.resolve();
  const vacuum = async (option: "ANALYZE" | "FULL, ANALYZE"): Promise<void> => {
    await db.query(`VACUUM (${option}) ${tables}`);
    if (option === "FULL, ANALYZE") {
      // The planner's statistics hold samples of what the columns held, the log all of it.
      await db.query("VACUUM (FULL) pg_catalog.pg_statistic");
      await db.query("SELECT pg_switch_wal()");
    }
    await db.query("CHECKPOINT");
  };
  return {
    query: async <Row>(text: string, params?: readonly (string | number | null)[]) =>
      (await db.query<Row>(text, params && [...params])).rows,
    async transaction(work) {
      const result = await db.transaction((tx) => {
        const query: SqlQuery = {
          query: async <Row>(text: string, params?: readonly (string | number | null)[]) =>
            (await tx.query<Row>(text, params && [...params])).rows,
        };
        return work(query);
      });
      transactions++;
      // A vacuum that fails is made up for by the next one; the transaction it follows is committed either way.
      if (transactions % TRANSACTIONS_BETWEEN_VACUUMS === 0) vacuuming = vacuum("ANALYZE").catch(() => undefined);
      return result;
    },
    reclaim: () => vacuum("FULL, ANALYZE"),
    async close() {
      await vacuuming;
      await db.close();
    },
  };
}

import * as pglite from "@electric-sql/pglite";
import { MemoryError } from "../text/memory-error.ts";
import { createDurableFiles } from "./durable-files.ts";
import { prepareStatements } from "./prepared-statements.ts";
import type { Sql, SqlQuery } from "./sql.ts";
import { INITDB_PARAMS, readTemplate } from "./template-database.ts";
import { WalSync } from "./wal-sync.ts";

/**
 * After so many transactions the dead rows they left are cleared and the write-ahead log is cut: the embedded database
 * has no background processes, so nobody else does.
 */
const TRANSACTIONS_BETWEEN_VACUUMS = 500;

/**
 * Milliseconds: so much later than the last time, what was planned before something was written is planned anew. PostgreSQL
 * does so when it learns how much its tables hold, and in the embedded database it rarely does: a search planned for an
 * empty memory takes four times as long in a full one.
 */
const PLANS_LAST = 1_000;

/**
 * - Without `-F` PostgreSQL syncs its files, by `fsync` as PGlite has no `fdatasync`; see {@link createDurableFiles}.
 * - Buffers of 16 MB instead of 128 save 100 MB of memory and cost nothing at this size.
 * - An index of 100,000 vectors is made in memory, or takes ten times as long.
 * - A log that is not recycled is deleted, and with it what was forgotten.
 */
const SETTINGS = {
  fsync: "on",
  wal_sync_method: "fsync",
  shared_buffers: "16MB",
  wal_recycle: "off",
  min_wal_size: "2MB",
  maintenance_work_mem: "192MB",
} as const;

/** Numbers as numbers, moments as text: what every engine answers alike. By the type's object id in `pg_type`. */
const parsers: NonNullable<pglite.PGliteOptions["parsers"]> = {
  20: Number,
  1082: String,
  1114: String,
  1184: String,
};

const forgetSamples = `DELETE FROM pg_catalog.pg_statistic
  WHERE starelid IN (SELECT oid FROM pg_catalog.pg_class WHERE relnamespace = 'dispatch_memory'::regnamespace)`;

/**
 * An embedded PostgreSQL. A promise it gives resolves when what it tells of is on disk.
 *
 * @param folder where it keeps its files, created when there are none; `undefined` keeps everything in memory.
 */
export async function openPglite(folder: string | undefined): Promise<Sql> {
  const wal = new WalSync();
  const seed = folder === undefined ? readTemplate() : undefined;
  const { vector } = await import("@electric-sql/pglite-pgvector");
  const database = await pglite.PGlite.create({
    ...(folder === undefined ? {} : { fs: createDurableFiles(folder, wal) }),
    ...(seed === undefined ? {} : { loadDataDir: new Blob([new Uint8Array(seed)]) }),
    extensions: { vector },
    parsers,
    initDbStartParams: [...INITDB_PARAMS],
    startParams: [
      ...pglite.PGlite.defaultStartParams.filter((param) => param !== "-F"),
      ...Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
  });
  return toSql(database, prepareStatements(database, pglite), wal);
}

function toSql(database: pglite.PGlite, run: SqlQuery["query"], wal: WalSync): Sql {
  let transactions = 0;
  let underWay = 0;
  let isPlanOld = false;
  let planned = performance.now();
  const renewPlans = async (): Promise<void> => {
    if (!isPlanOld || performance.now() - planned < PLANS_LAST) return;
    await run("DISCARD PLANS");
    isPlanOld = false;
    planned = performance.now();
  };
  let vacuuming: Promise<unknown> = Promise.resolve();
  const vacuum = async (option: "ANALYZE" | "FULL, ANALYZE"): Promise<void> => {
    // Of a table that became empty the planner would keep its samples for ever.
    if (option === "FULL, ANALYZE") await database.query(forgetSamples);
    const { rows } = await database.query<{ tables: string | null }>(
      "SELECT string_agg(format('%I.%I', schemaname, tablename), ', ') AS tables FROM pg_tables WHERE schemaname LIKE 'dispatch\\_%'",
    );
    const tables = rows[0]?.tables ?? "";
    await database.query(`VACUUM (${option}) ${tables}`);
    if (option === "FULL, ANALYZE") {
      // The planner's statistics hold samples of what the columns held, the log all of it.
      await database.query("VACUUM (FULL) pg_catalog.pg_statistic");
      await database.query("SELECT pg_switch_wal()");
    }
    await database.query("CHECKPOINT");
    await settle(wal);
  };
  return {
    async query<Row>(text: string, params?: readonly (string | number | null)[]) {
      // What PGlite's own `query` waits for: that nobody has a transaction open.
      const rows = await database._runExclusiveTransaction(async () => {
        await renewPlans();
        return run<Row>(text, params);
      });
      await settle(wal);
      return rows;
    },
    async transaction(work) {
      underWay++;
      try {
        const result = await database.transaction(() => work({ query: run }));
        await settle(wal, underWay === 1);
        transactions++;
        isPlanOld = true;
        // A vacuum that fails is made up for by the next one; the transaction it follows is committed either way.
        if (transactions % TRANSACTIONS_BETWEEN_VACUUMS === 0) vacuuming = vacuum("ANALYZE").catch(() => undefined);
        return result;
      } finally {
        underWay--;
      }
    },
    reclaim: () => vacuum("FULL, ANALYZE"),
    async close() {
      await vacuuming;
      await database.close();
      await settle(wal);
      await wal.end();
    },
  };
}

async function settle(wal: WalSync, alone = false): Promise<void> {
  try {
    await wal.settle(alone);
  } catch (cause) {
    throw new MemoryError(
      "Cannot keep the memory: the disk did not take what was written, allowed is use of a memory on a disk that works; what was done last may be lost",
      "memory_storage",
      cause,
    );
  }
}

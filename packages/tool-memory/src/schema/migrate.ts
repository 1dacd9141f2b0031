import type { Database, Query } from "../database/database.ts";
import type { SqlQuery } from "../database/sql.ts";
import { countPartitions, toPartitions } from "../postgres/partitions.ts";
import { makePassages } from "../rows/passage-rows.ts";
import { MemoryError } from "../text/memory-error.ts";
import { chainSupersessions } from "./chain-supersessions.ts";
import { blocks } from "./migrations/0001-blocks.ts";
import { passages } from "./migrations/0002-passages.ts";
import { superseding } from "./migrations/0003-superseding.ts";
import { terms } from "./migrations/0004-terms.ts";
import { proposals } from "./migrations/0005-proposals.ts";

/** In order. A published migration never changes. */
const migrations: readonly (readonly string[])[] = [blocks, passages, superseding, terms, proposals];

/** The first schema version whose histories hold supersessions. */
const SUPERSESSIONS_IN_HISTORY = 3;

/** The first schema version whose passages hold the package's own search terms. */
const OWN_TERMS = 4;

/**
 * Migrates the database to the newest schema, in one transaction. Processes that open it at the same time wait for each other.
 *
 * @param partitions number of partitions of each table when the tables do not exist yet; 0 for unpartitioned tables.
 * @throws MemoryError `memory_version` when the database is ahead of this package.
 */
export async function migrate(sql: Database, partitions = 0): Promise<void> {
  // Usually there is nothing to migrate; then no lock is taken.
  if ((await readVersion(sql).catch(() => 0)) === migrations.length) return;
  await sql.transaction(async (tx) => {
    // An arbitrary constant that never changes. The lock is held until the transaction ends.
    await tx.query("SELECT pg_advisory_xact_lock(7305808869229538405)");
    await tx.query("CREATE SCHEMA IF NOT EXISTS dispatch_memory");
    await tx.query(
      "CREATE TABLE IF NOT EXISTS dispatch_memory.migration (number integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())",
    );
    const done = await readVersion(tx);
    if (done > migrations.length) {
      throw new MemoryError(
        `Cannot open the memory: its data has shape ${done}, this version of the package knows shapes up to ${migrations.length}; use a newer version`,
        "memory_version",
      );
    }
    const parts = done === 0 ? partitions : await countPartitions(tx);
    for (const [index, statements] of migrations.slice(done).entries()) {
      for (const statement of statements.flatMap((text) => toPartitions(text, parts))) await tx.query(statement);
      await tx.query("INSERT INTO dispatch_memory.migration (number) VALUES ($1)", [done + index + 1]);
    }
    if (done < SUPERSESSIONS_IN_HISTORY) await chainSupersessions(tx);
    if (done < OWN_TERMS) await makeAllPassages(tx);
  });
}

async function makeAllPassages(tx: Query): Promise<void> {
  for (const { owner } of await tx.query<{ owner: string }>("SELECT DISTINCT owner FROM dispatch_memory.block")) {
    while ((await makePassages(tx, owner)) > 0);
  }
}

async function readVersion(sql: SqlQuery): Promise<number> {
  const rows = await sql.query<{ done: number }>(
    "SELECT coalesce(max(number), 0) AS done FROM dispatch_memory.migration",
  );
  return rows[0]?.done ?? 0;
}

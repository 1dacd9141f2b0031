import { aroundEach, type Database, type Sql, type SqlQuery } from "../database/database.ts";
import { MemoryError } from "../text/memory-error.ts";
import { toPostgresDatabase } from "./postgres-database.ts";
import { countPartitions, FIRST_SCHEMA, migrations, type Migration, toPartitions } from "./schema.ts";

/** How long a migration waits for others' locks at a time: statements of others queue behind it meanwhile. */
const LOCK_TIMEOUT_MS = 2_000;
/** How long it is tried. */
const PATIENCE_MS = 60_000;
/** `lock_not_available`. */
const LOCK_TIMEOUT = "55P03";

/** Settings of tests. */
export interface MigrateOptions {
  /** Number of partitions of each table when the tables do not exist yet. Default 0: unpartitioned. */
  readonly partitions?: number;
  /** The migrations that this version of the package knows. Default: all. */
  readonly known?: readonly Migration[];
  /** How long to try while others hold locks. Default 60,000. */
  readonly patienceMs?: number;
}

/**
 * Migrates the database to the newest schema, in one transaction. Processes that open it at the same time wait for each other.
 * It waits for locks of others two seconds at a time, because their statements wait behind it. A database that is ahead of
 * this package is used as it is where its migrations allow that.
 *
 * @throws MemoryError `memory_version` when the database is too far ahead of this package, or was made before the first release;
 * `memory_locked`.
 */
export async function migrate(
  sql: Database,
  { partitions = 0, known = migrations, patienceMs = PATIENCE_MS }: MigrateOptions = {},
): Promise<void> {
  const started = performance.now();
  for (;;) {
    // Usually there is nothing to migrate; then no lock is taken.
    if (isNewest(await readVersion(sql).catch(() => NONE), known)) return;
    try {
      return await sql.transaction((tx) => migrateIn(tx, partitions, known));
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== LOCK_TIMEOUT) throw error;
      if (performance.now() - started < patienceMs) continue;
      throw new MemoryError(
        "Cannot open the memory: its tables are to be brought to a newer shape, and others have had them locked for a minute, nothing was changed; end long transactions on the server, then try again",
        "memory_locked",
        error,
      );
    }
  }
}

async function migrateIn(tx: SqlQuery, partitions: number, known: readonly Migration[]): Promise<void> {
  await tx.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  // An arbitrary constant that never changes. The lock is held until the transaction ends.
  await tx.query("SELECT pg_advisory_xact_lock(7305808869229538405)");
  await tx.query("CREATE SCHEMA IF NOT EXISTS dispatch_memory");
  await tx.query(
    "CREATE TABLE IF NOT EXISTS dispatch_memory.migration (number integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(), oldest integer)",
  );
  const version = await readVersion(tx);
  if (isNewest(version, known)) return;
  const parts = version.done === 0 ? partitions : await countPartitions(tx);
  const next = Math.max(version.done + 1, FIRST_SCHEMA);
  for (const [index, { statements, oldest }] of known.slice(next - FIRST_SCHEMA).entries()) {
    const number = next + index;
    for (const statement of statements.flatMap((text) => toPartitions(text, parts))) await tx.query(statement);
    await tx.query("INSERT INTO dispatch_memory.migration (number, oldest) VALUES ($1, $2)", [
      number,
      oldest ?? number,
    ]);
  }
}

/**
 * The database of a memory on a PostgreSQL server, brought to the newest schema. Its statements fail with `memory_version` once another
 * process has migrated it too far for this package; that is asked only after a statement failed, so it costs nothing.
 */
export async function openPostgresDatabase(sql: Sql, partitions = 0): Promise<Database> {
  const database = toPostgresDatabase(sql);
  await migrate(database, { partitions });
  return aroundEach(database, async (work) => {
    try {
      return await work();
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if (typeof code === "string" && MISFIT.test(code)) isNewest(await readVersion(sql).catch(() => NONE), migrations);
      throw error;
    }
  });
}

/** Something is not there or not as it was, or has a value that it may not have: classes 42 and 23. */
const MISFIT = /^(?:42|23)...$/u;

/** The schema of a database. */
interface Version {
  /** Its number, 0 when there is none. */
  readonly done: number;
  /** The oldest schema that packages may be written for which use it. */
  readonly oldest: number;
}

const NONE: Version = { done: 0, oldest: 0 };

/** Whether there is nothing to migrate. Throws `memory_version` when this package cannot use the database. */
function isNewest({ done, oldest }: Version, { length }: readonly Migration[]): boolean {
  const known = FIRST_SCHEMA - 1 + length;
  if (done > 0 && done < FIRST_SCHEMA)
    throw new MemoryError(
      `Cannot use the memory: its data has shape ${done}, of before the first release; export it with the version that wrote it (dispatch-memory export FILE), then import it into a new database (dispatch-memory import FILE --restore)`,
      "memory_version",
    );
  if (done > known && oldest > known)
    throw new MemoryError(
      `Cannot use the memory: its data has shape ${done} and needs a package that knows shape ${oldest}, this version knows shapes up to ${known}; use a newer version`,
      "memory_version",
    );
  return done >= known;
}

async function readVersion(sql: SqlQuery): Promise<Version> {
  const rows = await sql.query<Version>(
    "SELECT coalesce(max(number), 0) AS done, coalesce(max(oldest), 0) AS oldest FROM dispatch_memory.migration",
  );
  return rows[0] ?? NONE;
}

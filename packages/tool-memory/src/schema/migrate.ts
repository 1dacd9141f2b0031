import { toState } from "../block/memory-block.ts";
import type { MemoryActor } from "../block/memory-event.ts";
import { applyChange, NO_SPLICE } from "../change/apply-change.ts";
import type { Database, Query, SqlQuery } from "../database/database.ts";
import { countPartitions, toPartitions } from "../postgres/partitions.ts";
import { lockBlockById } from "../rows/block-rows.ts";
import { lockOwner } from "../rows/lock-owner.ts";
import { makePassages } from "../rows/passage-rows.ts";
import { MemoryError } from "../text/memory-error.ts";
import { blocks, passages, superseding, terms, proposals, validFrom, decisions } from "./migrations.ts";

/** One step of the schema. A published migration never changes. */
export interface Migration {
  /** Its statements. */
  readonly statements: readonly string[];
  /**
   * The oldest schema that a package may have been written for and still work beside this one, in a deploy that replaces
   * processes one by one. Default: this one, so that older packages refuse the database.
   */
  readonly oldest?: number;
}

/** In order. */
export const migrations: readonly Migration[] = [
  { statements: blocks },
  { statements: passages },
  { statements: superseding },
  { statements: terms },
  { statements: proposals },
  { statements: validFrom },
  { statements: decisions, oldest: 6 },
];

/** How long a migration waits for others' locks at a time: statements of others queue behind it meanwhile. */
const LOCK_TIMEOUT_MS = 2_000;
/** How long it is tried. */
const PATIENCE_MS = 60_000;
/** `lock_not_available`. */
const LOCK_TIMEOUT = "55P03";

/** The first schema version whose histories hold supersessions. */
const SUPERSESSIONS_IN_HISTORY = 3;

/** The first schema version whose passages hold the package's own search terms. */
const OWN_TERMS = 4;

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
 * @throws MemoryError `memory_version` when the database is too far ahead of this package; `memory_locked`.
 */
export async function migrate(
  sql: Database,
  { partitions = 0, known = migrations, patienceMs = PATIENCE_MS }: MigrateOptions = {},
): Promise<void> {
  const started = performance.now();
  for (;;) {
    // Usually there is nothing to migrate; then no lock is taken.
    const version = await readVersion(sql).catch(() => NONE);
    checkVersion(version, known.length);
    if (version.done >= known.length) return;
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

async function migrateIn(tx: Query, partitions: number, known: readonly Migration[]): Promise<void> {
  await tx.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  // An arbitrary constant that never changes. The lock is held until the transaction ends.
  await tx.query("SELECT pg_advisory_xact_lock(7305808869229538405)");
  await tx.query("CREATE SCHEMA IF NOT EXISTS dispatch_memory");
  await tx.query(
    "CREATE TABLE IF NOT EXISTS dispatch_memory.migration (number integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())",
  );
  const version = await readVersion(tx);
  checkVersion(version, known.length);
  const { done } = version;
  if (done >= known.length) return;
  await tx.query("ALTER TABLE dispatch_memory.migration ADD COLUMN IF NOT EXISTS oldest integer");
  const parts = done === 0 ? partitions : await countPartitions(tx);
  for (const [index, { statements, oldest }] of known.slice(done).entries()) {
    const number = done + index + 1;
    for (const statement of statements.flatMap((text) => toPartitions(text, parts))) await tx.query(statement);
    await tx.query("INSERT INTO dispatch_memory.migration (number, oldest) VALUES ($1, $2)", [
      number,
      oldest ?? number,
    ]);
  }
  await tx.query("SET LOCAL lock_timeout = 0");
  if (done < SUPERSESSIONS_IN_HISTORY) await chainSupersessions(tx);
  if (done < OWN_TERMS) await makeAllPassages(tx);
}

/**
 * A database whose statements fail with `memory_version` once another process has migrated it too far for this package. Asks
 * only after a statement failed, so it costs nothing.
 */
export function withVersionCheck(sql: Database): Database {
  const explaining = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if (typeof code === "string" && MISFIT.test(code))
        checkVersion(await readVersion(sql).catch(() => NONE), migrations.length);
      throw error;
    }
  };
  return {
    ...sql,
    query: (text, params) => explaining(() => sql.query(text, params)),
    change: (changes) => explaining(() => sql.change(changes)),
    transaction: (work) => explaining(() => sql.transaction(work)),
    search: (owner, search) => explaining(() => sql.search(owner, search)),
  };
}

/** Something is not there or not as it was, or has a value that it may not have: classes 42 and 23. */
const MISFIT = /^(?:42|23)...$/u;

async function makeAllPassages(tx: Query): Promise<void> {
  for (const { owner } of await tx.query<{ owner: string }>("SELECT DISTINCT owner FROM dispatch_memory.block")) {
    while ((await makePassages(tx, owner)) > 0);
  }
}

/** The schema of a database. */
interface Version {
  /** Its number. */
  readonly done: number;
  /** The oldest schema that packages may be written for which use it. */
  readonly oldest: number;
}

const NONE: Version = { done: 0, oldest: 0 };

function checkVersion({ done, oldest }: Version, known: number): void {
  if (done <= known || oldest <= known) return;
  throw new MemoryError(
    `Cannot use the memory: its data has shape ${done} and needs a package that knows shape ${oldest}, this version knows shapes up to ${known}; use a newer version`,
    "memory_version",
  );
}

async function readVersion(sql: SqlQuery): Promise<Version> {
  // A migration of a version without the column allows no older package.
  const rows = await sql.query<Version>(
    `SELECT coalesce(max(number), 0) AS done, coalesce(max(coalesce((to_jsonb(migration) ->> 'oldest')::integer, number)), 0) AS oldest
     FROM dispatch_memory.migration`,
  );
  return rows[0] ?? NONE;
}

interface Unchained {
  readonly owner: string;
  readonly byId: string;
  readonly kind: MemoryActor["kind"] | null;
  readonly actor: string | null;
  readonly session: string | null;
}

/**
 * Migrates supersessions into the history. Schema version 2 kept them only in a table beside it. Every superseding block gets
 * an event, in the name of the author of its text, so that undoing that author's work undoes the supersession too. Runs in
 * the migration's transaction, after all tables have the new schema.
 */
async function chainSupersessions(tx: Query): Promise<void> {
  const unchained = await tx.query<Unchained>(
    `SELECT DISTINCT ON (supersession.owner, by_id) supersession.owner, by_id AS "byId", actor_kind AS kind, actor_id AS actor, session
     FROM dispatch_memory.supersession LEFT JOIN dispatch_memory.event ON event.owner = supersession.owner AND event.seq = supersession.seq
     ORDER BY supersession.owner, by_id, supersession.seq DESC`,
  );
  await tx.query("ALTER TABLE dispatch_memory.supersession DROP COLUMN seq");
  for (const { owner, byId, kind, actor, session } of unchained) {
    const locked = await lockOwner(tx, owner);
    const is = await lockBlockById(tx, owner, byId);
    if (is === null) throw new Error("a block that supersedes another is not there");
    const { supersedes: _supersedes, ...block } = is;
    const by = { kind: kind ?? "person", id: actor ?? "person" };
    const reason = "What it supersedes is part of the history from here on.";
    await applyChange(
      locked,
      { kind: "edited", block, is: toState(is), splice: NO_SPLICE },
      { actor: by, session, reason },
    );
  }
}

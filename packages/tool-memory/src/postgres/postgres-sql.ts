import { setTimeout as wait } from "node:timers/promises";
import type { Pool, PoolClient, QueryConfig } from "pg";
import { Semaphore } from "../database/semaphore.ts";
import type { Sql, SqlQuery } from "../database/sql.ts";
import { MemoryError } from "../text/memory-error.ts";
import { installedDriver, type PostgresDriver } from "./postgres-driver.ts";

/** How often a transaction is retried that the database or a lost connection ended before it was committed. */
const TRIES = 5;
const CONNECT_MS = 10_000;
/** A connection that nothing used for this time is closed, so that other processes can have it. */
const IDLE_MS = 5_000;

/** `too_many_connections`. */
const TOO_MANY = "53300";

/** `serialization_failure`, `deadlock_detected`: the database rolled back and asks to try again. */
const TRY_AGAIN = new Set(["40001", "40P01"]);
/** Class 08 (connection), 57P01 to 57P05 (the server ends it), and the codes of the network and the driver. */
const LOST =
  /^(?:08...|57P0[1-5]|ECONNRESET|ECONNREFUSED|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT)$/u;
const LOST_MESSAGE = /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered)/u;

/** `int8` as a number, moments as text, as every engine answers. By the type's object id in `pg_type`. */
const parsers = new Map<number, (text: string) => unknown>([
  [20, Number],
  [1082, String],
  [1114, String],
  [1184, String],
]);

/** How a server is used. */
export interface PostgresOptions {
  /** The driver. Default: the installed package `pg`. */
  readonly driver?: PostgresDriver | undefined;
  /** Connections at one time. Default 10. */
  readonly connections?: number | undefined;
  /** How long to wait for a connection that the server refuses because it has too many. Default 15,000. */
  readonly patienceMs?: number | undefined;
}

/**
 * A PostgreSQL server, by the driver `pg` and a pool of connections.
 *
 * A transaction is retried when the database asks for it (serialization, deadlock) or the connection was lost before
 * the commit was sent. A connection that is lost with the commit on its way leaves open whether it was done: that is an
 * error, `memory_connection`, and says so.
 *
 * @param url `postgres://…`, with the parameters of the driver: `sslmode`, `host` of a socket, …
 * @throws MemoryError `memory_driver`, `memory_url`; the first statement throws `memory_connection`.
 */
export function openPostgres(
  url: string,
  { connections = 10, patienceMs = 15_000, driver }: PostgresOptions = {},
): Sql {
  const pg = (driver ?? installedDriver()) as Pick<typeof import("pg"), "Pool" | "types">;
  const types: NonNullable<QueryConfig["types"]> = {
    getTypeParser: (id: number, format?: "text" | "binary") =>
      parsers.get(id) ?? (pg.types.getTypeParser as (id: number, format?: string) => never)(id, format),
  };
  let pool: Pool;
  try {
    pool = new pg.Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: CONNECT_MS,
      idleTimeoutMillis: IDLE_MS,
      allowExitOnIdle: true,
      types,
    });
  } catch (cause) {
    throw new MemoryError(
      "Cannot open the memory: the URL of the server cannot be read, allowed is postgres://user:password@host:port/database",
      "memory_url",
      cause,
    );
  }
  // An idle connection that breaks is taken out of the pool; the next statement gets another.
  pool.on("error", () => undefined);
  // One that breaks before its transaction listens would end the host; the transaction's first statement finds it broken.
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return toSql(pool, connections, patienceMs);
}

function toSql(pool: Pool, connections: number, patienceMs: number): Sql {
  // Work waits here as long as it must. In the pool's own queue it would fail after the time that a connection may take.
  const slots = new Semaphore(connections);
  const withPatience = <Result>(work: () => Promise<Result>): Promise<Result> =>
    slots.run(() => tryWhileCrowded(pool, patienceMs, work));
  return {
    async query<Row>(text: string, params: readonly (string | number | null)[] = []) {
      const config = toConfig(text, params);
      return (await withPatience(() => pool.query(config))).rows as Row[];
    },
    async transaction(work) {
      for (let tries = 1; ; tries++) {
        const outcome = await withPatience(async () => runOnce(await pool.connect(), work));
        if ("result" in outcome) return outcome.result;
        if (!outcome.again || tries === TRIES) return explain(outcome.error);
        await wait(Math.random() * 10 * 2 ** tries);
      }
    },
    close: () => pool.end(),
  };
}

/** Tries again while the server has no connection left: one may become free in other processes, or here. */
async function tryWhileCrowded<Result>(pool: Pool, patienceMs: number, work: () => Promise<Result>): Promise<Result> {
  const started = performance.now();
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isPatient = pool.totalCount > 0 || performance.now() - started < patienceMs;
      if (codeOf(error) !== TOO_MANY || !isPatient) return explain(error);
      await wait((0.5 + Math.random()) * Math.min(10 * 2 ** tries, 500));
    }
  }
}

/** Extended, for the simple protocol, which the driver takes when there are no values, allows several statements. */
function toConfig(text: string, params: readonly (string | number | null)[]): QueryConfig {
  const config: QueryConfig & { readonly queryMode: "extended" } = { text, values: [...params], queryMode: "extended" };
  return config;
}

type Outcome<Result> = { readonly result: Result } | { readonly error: unknown; readonly again: boolean };

/** One try of a transaction. `again`: it is certain that nothing was changed, and another try may do better. */
async function runOnce<Result>(
  client: PoolClient,
  work: (query: SqlQuery) => Promise<Result>,
): Promise<Outcome<Result>> {
  let broken: unknown;
  const lose = (error: unknown): void => void (broken ??= error);
  client.on("error", lose);
  let isCommitting = false;
  // The driver wants one statement of a connection to end before the next begins.
  let turn: Promise<unknown> = Promise.resolve();
  try {
    await client.query("BEGIN ISOLATION LEVEL READ COMMITTED");
    const result = await work({
      query: async <Row>(text: string, params: readonly (string | number | null)[] = []) => {
        const mine = turn.then(() => client.query(toConfig(text, params)));
        turn = mine.catch(() => undefined);
        return (await mine).rows as Row[];
      },
    });
    isCommitting = true;
    const { command } = await client.query("COMMIT");
    if (command !== "COMMIT") throw new Error("a statement of the transaction failed, so it was rolled back");
    return { result };
  } catch (error) {
    const lost = isLost(error) || broken !== undefined;
    if (lost) broken ??= error;
    else await client.query("ROLLBACK").catch(lose);
    if (lost && isCommitting) return { error: inDoubt(error), again: false };
    return { error, again: lost || TRY_AGAIN.has(codeOf(error)) };
  } finally {
    client.off("error", lose);
    client.release(broken !== undefined);
  }
}

function isLost(error: unknown): boolean {
  return LOST.test(codeOf(error)) || (error instanceof Error && LOST_MESSAGE.test(error.message));
}

function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

function inDoubt(cause: unknown): MemoryError {
  return new MemoryError(
    "Cannot say whether the memory was changed: the connection to its server was lost while the change was made; read it before you write again",
    "memory_connection",
    cause,
  );
}

/** Classes 28 and 3D: the server does not let this user in, or has no such database. */
const REFUSED = /^(?:28|3D)...$/u;

function explain(error: unknown): never {
  if (codeOf(error) === TOO_MANY) {
    throw new MemoryError(
      `Cannot use the memory: its server has no connection left (${TOO_MANY}), nothing was changed; open one store for all owners (openMemoryStore), lower connections, or raise max_connections of the server`,
      "memory_connection",
      error,
    );
  }
  if (REFUSED.test(codeOf(error))) {
    throw new MemoryError(
      `Cannot open the memory: its server refused the connection (${codeOf(error)}), allowed is a user, a password and a database that it knows`,
      "memory_connection",
      error,
    );
  }
  if (isLost(error) && !MemoryError.isInstance(error)) {
    throw new MemoryError(
      "Cannot use the memory: its server cannot be reached or ended the connection, nothing was changed; try again when the server runs",
      "memory_connection",
      error,
    );
  }
  throw error;
}

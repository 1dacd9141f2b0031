import { setTimeout as wait } from "node:timers/promises";
import { Semaphore } from "@dispatch/tools-interface/internal";
import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import type { PipelinedQuery, Sql, SqlQuery } from "../database/database.ts";
import { loadInstalled } from "../database/load-installed.ts";
import { hashText } from "../rows/event-rows.ts";
import { MemoryError } from "../text/memory-error.ts";

/** The package `pg` 8.16 or later, as `import pg from "pg"` gives it. */
export interface PostgresDriver {
  /** Its pool of connections. */
  readonly Pool: new (config?: never) => object;
  /** Its readers of values. */
  readonly types: object;
}

/** Loads the package `pg`. @throws MemoryError `memory_driver`. */
function installedDriver(): PostgresDriver {
  try {
    return loadInstalled("pg") as PostgresDriver;
  } catch (cause) {
    throw new MemoryError(
      'Cannot open the memory: the package pg is not installed, a postgres: URL needs it; install it next to this one, npm install pg, or in a bundle pass it: import pg from "pg"; openMemory(url, { pg })',
      "memory_driver",
      cause,
    );
  }
}

/** How often a transaction is tried that the database ended and asks to try again. */
const TRIES = 5;
/** How long the server is waited for after an operation lost it, in milliseconds: as long as durable calls wait. */
const SILENCE_MS = 10_000;
/** Statements are sent without waiting for the answer to the one before. Drivers before 8.23 send each after that. */
const PIPELINED = { pipeline: true };
const CONNECT_MS = 10_000;
/** A connection that nothing used for this time is closed, so that other processes can have it. */
const IDLE_MS = 5_000;

/** `too_many_connections`. */
const TOO_MANY = "53300";

/** `cannot_connect_now`: the server is starting or shutting down. */
const NOT_NOW = "57P03";

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
interface PostgresOptions {
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
 * A transaction is repeated when the database asks for it (serialization, deadlock). While the server cannot be reached, as during
 * its restart, operations are repeated for ten seconds. A connection that is lost with a commit on its way leaves open whether it was
 * done: that is not repeated, it is the error `memory_connection`, which says so.
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
      ...PIPELINED,
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

/**
 * What a lost connection means, the same for every operation: it is repeated for {@link SILENCE_MS}, unless it may have changed something.
 * A read is always repeated, a transaction until its commit is sent. Other statements, and a commit without an answer, are in doubt.
 * A server that never answered is not waited for: its address may be wrong.
 */
function toSql(pool: Pool, connections: number, patienceMs: number): Sql {
  // Work waits here as long as it must. In the pool's own queue it would fail after the time that a connection may take.
  const slots = new Semaphore(connections);
  const statements = new Statements();
  let hasAnswered = false;
  const repeat = async <Result>(attempt: (client: PoolClient) => Promise<Outcome<Result>>): Promise<Result> => {
    let since: number | undefined;
    for (let tries = 1; ; tries++) {
      const outcome = await slots.run(async () => {
        let client: PoolClient;
        try {
          client = await pool.connect();
        } catch (error) {
          return { error, again: true };
        }
        return attempt(client);
      });
      if ("result" in outcome) {
        hasAnswered = true;
        return outcome.result;
      }
      const { error } = outcome;
      hasAnswered ||= codeOf(error) === NOT_NOW;
      const again = outcome.again || statements.mayHaveLost(error);
      since ??= performance.now();
      const waited = performance.now() - since;
      const isPatient =
        codeOf(error) === TOO_MANY
          ? pool.totalCount > 0 || waited < patienceMs
          : isLost(error)
            ? hasAnswered && waited < SILENCE_MS
            : tries < TRIES;
      if (!again || !isPatient) return explain(error);
      await wait((0.5 + Math.random()) * Math.min(10 * 2 ** tries, 500));
    }
  };
  return {
    query: <Row>(text: string, params: readonly (string | number | null)[] = []) =>
      repeat<Row[]>(async (client) => {
        try {
          const { rows } = await client.query(statements.toConfig(text, params));
          client.release();
          return { result: rows as Row[] };
        } catch (error) {
          const lost = isLost(error);
          client.release(lost);
          if (lost && !isRead(text)) return { error: inDoubt(error), again: false };
          return { error, again: lost };
        }
      }),
    transaction: (work) => repeat((client) => runOnce(client, statements, work)),
    close: () => pool.end(),
  };
}

/** Statements of this package that change nothing. */
function isRead(text: string): boolean {
  return !/\b(?:INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP)\b/u.test(text);
}

/** Maximum number of statements that a connection keeps prepared. */
const MAX_PREPARED = 200;
/** `invalid_sql_statement_name`, `duplicate_prepared_statement`, and a plan that a migration made useless. */
const NOT_PREPARED = new Set(["26000", "42P05", "0A000"]);

/** Statements that the server keeps prepared: planning takes most of the time of a search. A pooler may not allow that; then none is. */
class Statements {
  #names: Map<string, string> | undefined = new Map();

  /** Extended, for the simple protocol, which the driver takes when there are no values, allows several statements. */
  toConfig(text: string, params: readonly (string | number | null)[]): QueryConfig {
    const config: QueryConfig & { readonly queryMode: "extended" } = {
      text,
      values: [...params],
      queryMode: "extended",
    };
    const name = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/u.test(text) ? this.#nameOf(text) : undefined;
    return name === undefined ? config : { ...config, name };
  }

  /** Whether an error is of a prepared statement alone. From then on none is prepared, and the work may be repeated. */
  mayHaveLost(error: unknown): boolean {
    if (this.#names === undefined || !NOT_PREPARED.has(codeOf(error))) return false;
    this.#names = undefined;
    return true;
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names?.get(text);
    if (known !== undefined || this.#names === undefined || this.#names.size >= MAX_PREPARED) return known;
    // By the text, so that clients that share a session behind a pooler agree on it.
    const name = `dispatch_${hashText(text).slice(0, 32)}`;
    this.#names.set(text, name);
    return name;
  }
}

type Outcome<Result> = { readonly result: Result } | { readonly error: unknown; readonly again: boolean };

/** One try of a transaction. `again`: it is certain that nothing was changed, and another try may do better. */
async function runOnce<Result>(
  client: PoolClient,
  statements: Statements,
  work: (query: SqlQuery) => Promise<Result>,
): Promise<Outcome<Result>> {
  let broken: unknown;
  const lose = (error: unknown): void => void (broken ??= error);
  client.on("error", lose);
  let isCommitting = false;
  // The server runs what was sent in turn; after one that fails, the rest of a transaction fails.
  const send = (config: string | QueryConfig): Promise<QueryResult> => {
    const answer = client.query(config);
    answer.catch(() => undefined);
    return answer;
  };
  try {
    const ahead: Promise<unknown>[] = [send("BEGIN ISOLATION LEVEL READ COMMITTED")];
    const tx: PipelinedQuery = {
      query: async <Row>(text: string, params: readonly (string | number | null)[] = []) => {
        const answer = send(statements.toConfig(text, params));
        await Promise.all(ahead.splice(0));
        return (await answer).rows as Row[];
      },
      send: (text, params) => void ahead.push(send(statements.toConfig(text, params))),
    };
    const result = await work(tx);
    isCommitting = true;
    const committed = send("COMMIT");
    await Promise.all(ahead);
    if ((await committed).command !== "COMMIT")
      throw new Error("a statement of the transaction failed, so it was rolled back");
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

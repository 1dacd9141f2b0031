import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { MemoryError } from "../text/memory-error.ts";
import { connectSql, type SqlConnection } from "./connect-sql.ts";
import { FolderHeldError, lockFolder, type FolderLock } from "./folder-lock.ts";
import { serveSql, type SqlServer } from "./serve-sql.ts";
import { toSocketAddress, type SocketAddress } from "./socket-address.ts";
import type { Sql, SqlQuery } from "./sql.ts";

/**
 * How long to wait for a holder that lives but does not answer: it may be opening the database. Begins anew whenever it is
 * seen to have worked, for with hundreds of processes beside it that takes minutes; up to the second.
 */
const PATIENCE_MS = [60_000, 10 * 60_000] as const;
/**
 * Between tries: from the first to the second, an eighth of the wait so far, as hundreds of processes that try keep the
 * holder from its work.
 */
const PAUSE_MS = [20, 500] as const;
/** How often something is begun anew because the holder went away before it was done. */
const TRIES = 10;

/** This process has the folder open, or is served by the one that has. */
type Backend =
  | { readonly kind: "holder"; readonly sql: Sql; readonly server: SqlServer | undefined; readonly lock: FolderLock }
  | { readonly kind: "guest"; readonly connection: SqlConnection };

/**
 * The database of a folder, for any number of processes: the first one opens it and serves the others over a socket;
 * when it ends or is killed, whoever needs the database next opens it.
 *
 * What a process was doing when the holder went away is begun anew when it is certain that it was not done: a statement
 * outside a transaction only reads, and of a transaction the next holder knows whether it was committed.
 *
 * @param open opens the database; called by whoever holds the folder's lock.
 */
export async function shareDirectory(
  folder: string,
  options: { readonly takeOver?: boolean | undefined },
  open: () => Promise<Sql>,
): Promise<Sql> {
  let backend: Promise<Backend> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const attach = (): Promise<Backend> => {
    const attaching = (backend ??= attachTo(folder, options, open));
    return attaching.catch((error: unknown) => {
      if (backend === attaching) backend = undefined;
      throw error;
    });
  };
  const detach = async (lost: Backend): Promise<void> => {
    const current = backend;
    if (current !== undefined && (await current) === lost && backend === current) backend = undefined;
  };
  await attach();

  /** Runs `work` with a backend; anew with another one as long as `work` says that it was lost. */
  const attempt = async <Result>(work: (backend: Backend) => Promise<Result | typeof LOST>): Promise<Result> => {
    for (let tries = 0; tries < TRIES; tries++) {
      const current = await attach();
      const result = await work(current);
      if (result !== LOST) return result;
      await detach(current);
    }
    throw new MemoryError(
      "Cannot use the memory: the processes that had it open went away one after the other, nothing was changed; try again",
      "memory_connection",
    );
  };
  const guestTransaction = async <Result>(
    connection: SqlConnection,
    token: string,
    work: (query: SqlQuery) => Promise<Result>,
  ): Promise<{ readonly result: Result } | typeof LOST> => {
    try {
      await connection.ask({ op: "begin", token });
      const result = await work(toQuery(connection));
      await connection.ask({ op: "commit" });
      return { result };
    } catch (error) {
      if (connection.isLost()) return LOST;
      await connection.ask({ op: "rollback" }).catch(() => undefined);
      throw error;
    }
  };
  const query: Sql["query"] = <Row>(text: string, params: readonly (string | number | null)[] = []) =>
    attempt<readonly Row[]>(async (current) => {
      if (current.kind === "holder") return current.sql.query<Row>(text, params);
      return current.connection.ask({ op: "query", text, params: [...params] }).catch((error: unknown) => {
        if (current.connection.isLost()) return LOST;
        throw error;
      }) as Promise<readonly Row[] | typeof LOST>;
    });
  const transaction: Sql["transaction"] = (work) =>
    attempt(async (current) => {
      if (current.kind === "holder") return current.sql.transaction(work);
      const token = randomUUID();
      let outcome: { readonly result: Awaited<ReturnType<typeof work>> } | undefined;
      const mine = turn.then(() =>
        guestTransaction(current.connection, token, async (tx) => {
          outcome = { result: await work(tx) };
          return outcome.result;
        }),
      );
      turn = mine.catch(() => undefined);
      const ended = await mine;
      if (ended !== LOST) return ended.result;
      if (outcome === undefined) return LOST;
      // The commit may have been on its way: the next holder knows.
      await detach(current);
      const known = await query("SELECT 1 AS one FROM dispatch_holder.committed WHERE token = $1", [token]);
      return known.length > 0 ? outcome.result : LOST;
    });
  return {
    async query<Row>(text: string, params?: readonly (string | number | null)[]) {
      try {
        return await query<Row>(text, params);
      } catch (error) {
        if ((error as { code?: unknown }).code !== READ_ONLY) throw error;
        return transaction((tx) => tx.query<Row>(text, params));
      }
    },
    transaction,
    reclaim: () =>
      attempt(async (current) => {
        if (current.kind === "holder") return current.sql.reclaim?.();
        return current.connection.ask({ op: "reclaim" }).then(
          () => undefined,
          (error: unknown) => {
            if (current.connection.isLost()) return LOST;
            throw error;
          },
        );
      }),
    async close() {
      const current = await backend;
      if (current?.kind === "guest") current.connection.end();
      if (current?.kind === "holder") await endHolder(current);
    },
  };
}

const LOST = Symbol("lost");
/** SQLSTATE of a statement that would change something in a transaction that only reads. */
const READ_ONLY = "25006";

function toQuery(connection: SqlConnection): SqlQuery {
  return {
    query: async <Row>(text: string, params: readonly (string | number | null)[] = []) =>
      (await connection.ask({ op: "run", text, params: [...params] })) as readonly Row[],
  };
}

async function endHolder({ sql, server, lock }: Extract<Backend, { kind: "holder" }>): Promise<void> {
  try {
    await server?.close();
    await sql.close();
  } finally {
    lock.release();
  }
}

async function attachTo(
  folder: string,
  options: { readonly takeOver?: boolean | undefined },
  open: () => Promise<Sql>,
): Promise<Backend> {
  const [patience, most] = PATIENCE_MS;
  const started = performance.now();
  let until = started + patience;
  let worked: number | null = null;
  for (;;) {
    try {
      const lock = lockFolder(folder, options);
      return await hold(lock, toSocketAddress(folder), open);
    } catch (error) {
      if (!(error instanceof FolderHeldError)) throw error;
      const address = toSocketAddress(folder);
      const connection = address && (await connectSql(address).catch(() => undefined));
      if (connection !== undefined) return { kind: "guest", connection };
      if (error.worked !== worked) until = Math.min(performance.now() + patience, started + most);
      worked = error.worked;
      if (!error.isAlive || performance.now() > until) throw error;
      const [least, longest] = PAUSE_MS;
      const pause = Math.min(Math.max((performance.now() - started) / 8, least), longest);
      await wait(pause * (0.5 + Math.random() / 2));
    }
  }
}

async function hold(lock: FolderLock, address: SocketAddress | undefined, open: () => Promise<Sql>): Promise<Backend> {
  try {
    const sql = await open();
    try {
      const server = address && (await serveSql(sql, address));
      return { kind: "holder", sql, server, lock };
    } catch (error) {
      await sql.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

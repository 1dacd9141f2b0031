import pg from "pg";
import { PatientClient } from "./patient-client.ts";
import type { PostgresPool } from "./postgres-client.ts";
import { toRepeatable, whileUnreachable } from "./while-unreachable.ts";

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: unknown) => void,
) => void;

/** The end of a transaction that its client left open, in milliseconds. */
const MAX_IDLE_IN_TRANSACTION_MS = 60_000;

/**
 * Connections for this engine and DBOS together. A connection that the server refuses is asked for again: nothing was
 * sent before, so nothing can happen twice.
 */
export class PatientPool extends pg.Pool {
  /** @param max Most connections. */
  constructor(connectionString: string, max: number) {
    super({
      Client: PatientClient,
      connectionString,
      max,
      idle_in_transaction_session_timeout: MAX_IDLE_IN_TRANSACTION_MS,
      keepAlive: true,
    });
    this.on("error", () => undefined);
    // One that the server ends between two statements of a transaction would end the process.
    this.on("connect", (client) => client.on("error", () => undefined));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    const connected = whileUnreachable(() => super.connect()).catch((error: unknown) => {
      throw toRepeatable(error);
    });
    if (callback === undefined) return connected;
    connected.then(
      (client) => callback(undefined, client, (error) => client.release(error as Error | undefined)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }
}

/** Statements that may be sent again, because twice is the same as once: each is, when its connection ends. */
export function repeating(pool: PatientPool): PostgresPool {
  return { query: (text, values) => whileUnreachable(() => pool.query(text, values)) };
}

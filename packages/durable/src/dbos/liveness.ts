import { sha256 } from "@dispatch/tools-interface/internal";
import type { PostgresClient, PostgresDriver, PostgresPool } from "./postgres-client.ts";
import { whileUnreachable } from "./while-unreachable.ts";

/** Between two tries to reach the server again, in milliseconds. */
const AGAIN_MS = 500;
/** The channel of changes of questions. */
export const CHANNEL = "dispatch_wait";

/**
 * Says that a process lives: a lock of the server that its connection holds, which the server frees when the connection
 * ends. A process that lost its connection counts as dead until it has another one.
 */
export class Liveness {
  readonly #driver: PostgresDriver;
  readonly #url: string;
  readonly #key: string;
  readonly #onNotice: () => void;
  #client: PostgresClient | undefined;
  #held = 0;
  #isClosed = false;

  private constructor(driver: PostgresDriver, url: string, worker: string, onNotice: () => void) {
    this.#driver = driver;
    this.#url = url;
    this.#key = lockKey(worker);
    this.#onNotice = onNotice;
  }

  /** Takes the lock of a process. `onNotice` is called when another process has changed a question. */
  static async hold(driver: PostgresDriver, url: string, worker: string, onNotice: () => void): Promise<Liveness> {
    const liveness = new Liveness(driver, url, worker, onNotice);
    await whileUnreachable(() => liveness.#connect());
    return liveness;
  }

  /** Names the time for which the lock is held: another one after each loss; `undefined` while it is not held. */
  get term(): number | undefined {
    return this.#client && this.#held;
  }

  /** Frees the lock. */
  async release(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client = new this.#driver.Client({ connectionString: this.#url, keepAlive: true });
    const lost = (): void => {
      if (this.#isClosed || this.#client !== client) return;
      this.#client = undefined;
      this.#reconnect();
    };
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", this.#onNotice);
    try {
      await client.connect();
      await client.query(`SELECT pg_advisory_lock(${this.#key})`);
      await client.query(`LISTEN ${CHANNEL}`);
      if (this.#isClosed) throw new Error("the engine was closed");
      this.#client = client;
      this.#held += 1;
    } catch (error) {
      // A connection that is not used must not stay open.
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  #reconnect(): void {
    const timer = setTimeout(() => {
      if (!this.#isClosed) this.#connect().catch(() => this.#reconnect());
    }, AGAIN_MS);
    timer.unref();
  }
}

/** Whether a process has ended, or has lost its connection. */
export async function hasEnded(pool: PostgresPool, worker: string): Promise<boolean> {
  const key = lockKey(worker);
  // One statement, so that both are done by one connection.
  const statement = `SELECT CASE WHEN pg_try_advisory_lock(${key}) THEN pg_advisory_unlock(${key}) ELSE false END AS ended`;
  return (await pool.query(statement)).rows[0]?.["ended"] === true;
}

/** A number of 63 bits. */
function lockKey(worker: string): string {
  return BigInt.asIntN(64, BigInt(`0x${sha256(`dispatch ${worker}`).slice(0, 16)}`)).toString();
}

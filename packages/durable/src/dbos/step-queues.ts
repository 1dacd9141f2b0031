import { DBOS } from "@dbos-inc/dbos-sdk";
import { fromColumn, toColumn } from "../column-text.ts";
import { hasEnded } from "./liveness.ts";
import type { PostgresPool } from "./postgres-client.ts";

/** DBOS's name of the workflow of a step. */
export const WORKFLOW = "dispatch.step";
/** The queue of the steps that any worker may do. */
export const QUEUE = "dispatch.steps";
/** Names a queue that nobody reads: of steps that wait for the call which makes them, or for a process that can do them. */
const PARKED = "dispatch.parked";
/** After which time a parked call is offered again, in milliseconds: nobody may come for it. */
const PARKED_MS = 5_000;

/** Most steps that one process claims at a time. */
const MAX_CLAIMED = 1_000;

/** Moves the steps of processes that died, in DBOS's own table. */
export class StepQueues {
  readonly #pool: PostgresPool;
  readonly #worker: string;

  /** @param worker The name of this process. */
  constructor(pool: PostgresPool, worker: string) {
    this.#pool = pool;
    this.#worker = worker;
  }

  /** Whether a process has died, or has lost its connection. */
  async isDead(worker: string): Promise<boolean> {
    return worker !== this.#worker && (await hasEnded(this.#pool, worker));
  }

  /** Whether a step belongs to this process: no other one has taken it over. */
  async isMine(key: string): Promise<boolean> {
    const select = "SELECT executor_id FROM dbos.workflow_status WHERE workflow_uuid = $1 AND status = 'PENDING'";
    return (await this.#pool.query(select, [toColumn(key)])).rows[0]?.["executor_id"] === this.#worker;
  }

  /** Gives a step that this process cannot do to others. */
  park(key: string): Promise<void> {
    return this.#move("workflow_uuid = $2 AND executor_id = $3 AND status = 'PENDING'", PARKED, [
      toColumn(key),
      this.#worker,
    ]);
  }

  /** The steps that DBOS gave to this process. */
  async taken(): Promise<readonly string[]> {
    const select =
      "SELECT workflow_uuid FROM dbos.workflow_status WHERE name = $1 AND status = 'PENDING' AND executor_id = $2";
    const { rows } = await this.#pool.query(select, [WORKFLOW, this.#worker]);
    return rows.map((row) => fromColumn(String(row["workflow_uuid"])));
  }

  /** Whether the queue of this process is there. Others remove it when they take this process for dead. */
  async hasOwn(): Promise<boolean> {
    const select = "SELECT 1 FROM dbos.queues WHERE name = $1";
    return (await this.#pool.query(select, [ownQueue(this.#worker)])).rowCount === 1;
  }

  /** Registers the queue of this process. */
  registerOwn(): Promise<void> {
    return registerOwnQueue(this.#worker);
  }

  /** Gives a step that this process has, and does not do, to whoever can do it. */
  async release(key: string): Promise<void> {
    await this.#offer("workflow_uuid = $2 AND executor_id = $3 AND status = 'PENDING'", [toColumn(key), this.#worker]);
  }

  /** Gives the steps of dead processes to others. */
  async takeOver(): Promise<void> {
    const queued = `substr(queue_name, ${ownQueue("").length + 1})`;
    const select = `SELECT DISTINCT CASE status WHEN 'PENDING' THEN executor_id ELSE ${queued} END AS worker
      FROM dbos.workflow_status WHERE name = $1 AND
      (status = 'PENDING' OR (status = 'ENQUEUED' AND queue_name LIKE '${ownQueue("%")}'))`;
    const { rows } = await this.#pool.query(select, [WORKFLOW]);
    for (const { worker } of rows) {
      const dead = String(worker);
      if (!(await this.isDead(dead))) continue;
      const left = "((status = 'PENDING' AND executor_id = $2) OR (status = 'ENQUEUED' AND queue_name = $3))";
      await this.#offer(left, [dead, ownQueue(dead)]);
      await this.#pool.query("DELETE FROM dbos.queues WHERE name = $1", [ownQueue(dead)]);
    }
    const old = "status = 'ENQUEUED' AND queue_name = $2 AND updated_at < $3 AND attributes->>'kind' = 'call'";
    await this.#move(old, QUEUE, [PARKED, Date.now() - PARKED_MS]);
  }

  /** Gives a step that is waited for here to this process, if nobody does it. */
  async claim(key: string): Promise<void> {
    const select = "SELECT executor_id FROM dbos.workflow_status WHERE workflow_uuid = $1 AND status = 'PENDING'";
    const executor = (await this.#pool.query(select, [toColumn(key)])).rows[0]?.["executor_id"];
    const dead = typeof executor === "string" && (await this.isDead(executor)) ? executor : "";
    const isFree = "((status = 'PENDING' AND executor_id = $3) OR (status = 'ENQUEUED' AND queue_name IN ($4, $5)))";
    await this.#move(`workflow_uuid = $2 AND ${isFree}`, ownQueue(this.#worker), [toColumn(key), dead, PARKED, QUEUE]);
  }

  /** Gives steps to all workers. A nested call's step waits for the outer call. */
  async #offer(which: string, values: readonly unknown[]): Promise<void> {
    await this.#move(`${which} AND attributes->>'nested' = 'true'`, PARKED, values);
    await this.#move(which, QUEUE, values);
  }

  /**
   * Moves steps to a queue. As DBOS's own recovery does it, in one statement: no step is moved that another process has taken
   * in between, and the process that had it cannot record a result any more.
   */
  async #move(which: string, queue: string, values: readonly unknown[]): Promise<void> {
    const statement = `UPDATE dbos.workflow_status SET status = 'ENQUEUED', queue_name = $1, owner_xid = NULL,
      started_at_epoch_ms = NULL, updated_at = (EXTRACT(EPOCH FROM now()) * 1000)::bigint
      WHERE name = '${WORKFLOW}' AND ${which}`;
    await this.#pool.query(statement, [queue, ...values]);
  }
}

/** The queue of the steps that only one process shall do. */
export function ownQueue(worker: string): string {
  return `dispatch.of.${worker}`;
}

/** Registers a queue in the database, or changes its settings there. */
export async function registerQueue(name: string, workerConcurrency: number): Promise<void> {
  await DBOS.registerQueue(name, { workerConcurrency, minPollingIntervalMs: 100, onConflict: "always_update" });
}

/** Registers the queue of the steps that only one process shall do. */
export function registerOwnQueue(worker: string): Promise<void> {
  return registerQueue(ownQueue(worker), MAX_CLAIMED);
}

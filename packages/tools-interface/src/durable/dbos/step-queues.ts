import { toColumn } from "../column-text.ts";
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

  /** Gives the steps of dead processes to others. A nested call's step waits for the outer call. */
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
      await this.#move(`${left} AND attributes->>'nested' = 'true'`, PARKED, [dead, ownQueue(dead)]);
      await this.#move(left, QUEUE, [dead, ownQueue(dead)]);
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

import { DBOS, type WorkflowStatus } from "@dbos-inc/dbos-sdk";
import type { TranscriptEntry } from "@dispatch/tools-interface";
import { fromColumn, toColumn, toIndexed } from "../column-text.ts";
import type { FoundStep, OpenWork, StepEnd } from "../durable-engine.ts";
import type { StepArguments } from "./launch-dbos.ts";
import type { PostgresPool } from "./postgres-client.ts";
import { WORKFLOW, type StepQueues } from "./step-queues.ts";

/** Reads steps in DBOS's tables. */
export class StepRecords {
  readonly #pool: PostgresPool;
  readonly #queues: StepQueues;
  readonly #outside: <Result>(work: () => Result) => Result;

  /** @param outside Runs a function outside of every workflow. */
  constructor(pool: PostgresPool, queues: StepQueues, outside: <Result>(work: () => Result) => Result) {
    this.#pool = pool;
    this.#queues = queues;
    this.#outside = outside;
  }

  /** A step, if there is one. Most that are looked for are new: a short statement says so. */
  async find(key: string): Promise<FoundStep | undefined> {
    const select = "SELECT 1 FROM dbos.workflow_status WHERE workflow_uuid = $1";
    if ((await this.#pool.query(select, [toColumn(key)])).rowCount === 0) return undefined;
    const found = await this.#outside(() => DBOS.getWorkflowStatus(toColumn(key)));
    return found === null ? undefined : this.#toFound(found);
  }

  /** Steps without a result. */
  async open(): Promise<OpenWork["steps"]> {
    const found = await this.#outside(() =>
      DBOS.listWorkflows({ workflowName: WORKFLOW, status: ["PENDING", "ENQUEUED"], loadOutput: false }),
    );
    const steps = [];
    for (const status of found) {
      steps.push({ key: fromColumn(status.workflowID), since: status.createdAt, ...(await this.#toFound(status)) });
    }
    return steps;
  }

  /** The entries that the results of a session hold. */
  async entries(session: string): Promise<readonly TranscriptEntry[]> {
    const attributes = { session: toIndexed(session) };
    const done = await this.#outside(() =>
      DBOS.listWorkflows({ workflowName: WORKFLOW, status: "SUCCESS", attributes, loadInput: false }),
    );
    return done.flatMap(({ output }) => (output as StepEnd | undefined)?.entry?.entry ?? []);
  }

  /** Whether a step that was submitted has begun. */
  async hasBegun(key: string): Promise<boolean> {
    const select = "SELECT 1 FROM dbos.operation_outputs WHERE workflow_uuid = $1 LIMIT 1";
    return (await this.#pool.query(select, [toColumn(key)])).rowCount === 1;
  }

  async #toFound({ status, input, output, executorId, workflowID }: WorkflowStatus): Promise<FoundStep> {
    const [, intent, token] = input as unknown as StepArguments;
    if (status === "SUCCESS") return { state: "done", intent, result: (output as StepEnd).result };
    if (token === null && !(await this.hasBegun(fromColumn(workflowID)))) return { state: "submitted", intent };
    const isRunning = status === "PENDING" && executorId !== undefined && !(await this.#queues.isDead(executorId));
    return { state: isRunning ? "running" : "broken", intent };
  }
}

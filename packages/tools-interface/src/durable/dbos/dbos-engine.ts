import { DBOS, type WorkflowStatus } from "@dbos-inc/dbos-sdk";
import pg from "pg";
import type { JsonValue } from "../../json/json-snapshot.ts";
import type { TranscriptEntry } from "../../transcript/transcript.ts";
import { awaitAnswer } from "../await-answer.ts";
import { fromColumn, toColumn } from "../column-text.ts";
import type { DurableEngine, DurableStep, DurableWorker, FoundStep, StepEnd } from "../durable-engine.ts";
import { DurableError } from "../durable-error.ts";
import { unlessAborted } from "../unless-aborted.ts";
import { WakeSet } from "../wake-set.ts";
import type { DbosEngineOptions } from "./dbos-engine-options.ts";
import { launchDbos, registerOwnQueue } from "./launch-dbos.ts";
import { Liveness } from "./liveness.ts";
import { PatientPool, repeating } from "./patient-pool.ts";
import type { PostgresPool } from "./postgres-client.ts";
import { createTables } from "./postgres-tables.ts";
import { PostgresTranscript } from "./postgres-transcript.ts";
import { PostgresWaits } from "./postgres-waits.ts";
import { QUEUE, StepQueues, WORKFLOW } from "./step-queues.ts";
import { attributesOf, keptOf } from "./step-record.ts";
import { takeContext } from "./take-context.ts";
import { Visits } from "./visits.ts";
import { whileAnswering } from "./while-answering.ts";

export type { DbosEngineOptions } from "./dbos-engine-options.ts";

/** Between two looks at a step that another process does, in milliseconds. */
const LOOK_MS = 20;
/** Between two looks at whether a step that is waited for can be had, in milliseconds. */
const CLAIM_MS = 400;
/** One for the lock, one for DBOS's notices, one for a look, one for everything else. */
const MIN_CONNECTIONS = 4;
/** More often than any process dies. */
const ATTEMPTS = 1_000_000;

/** `waiting` is for another process, `ended` for the server to record it. */
type Phase = "starting" | "waiting" | "begun" | "ended" | "given up";
type Run = (key: string, intent: JsonValue, token: string | null) => Promise<StepEnd>;

/**
 * Keeps calls in PostgreSQL through DBOS Transact, for many processes on many machines. DBOS is one per process: this launches
 * it, so the host must not, and may register workflows of its own before. Needs Node 22, `@dbos-inc/dbos-sdk` and `pg`.
 *
 * @throws {DurableError} When the database cannot be used.
 *
 * @example
 * ```ts
 * const durable = createDurable(await openDbosEngine({ url: "postgres://app@db.example/calls" }));
 * ```
 */
export async function openDbosEngine(options: DbosEngineOptions): Promise<DurableEngine> {
  const { url, maxTaken = 16, maxConnections = 5, serves = true } = options;
  if (!Number.isInteger(maxConnections) || maxConnections < MIN_CONNECTIONS)
    throw new DurableError(
      `Cannot open the calls: maxConnections is ${maxConnections}, at least ${MIN_CONNECTIONS} needed`,
    );
  const worker = crypto.randomUUID();
  // One connection is that of the lock.
  const pool = new PatientPool(url, maxConnections - 1);
  const engine = new DbosEngine(options, worker, pool);
  try {
    // Before DBOS gives it anything: a process without its lock counts as dead.
    await engine.start();
    await launchDbos(pool, { url, worker, serves, maxTaken });
    await createTables(repeating(pool));
    return engine;
  } catch (error) {
    await engine.close();
    throw new DurableError(`Cannot open the calls: ${(error as Error).message}`, { cause: error });
  }
}

class DbosEngine implements DurableEngine {
  readonly name = "dbos";
  readonly #options: DbosEngineOptions;
  readonly #worker: string;
  readonly #connections: PatientPool;
  readonly #pool: PostgresPool;
  readonly #waits: PostgresWaits;
  readonly #answered = new WakeSet();
  readonly #visits = new Visits();
  readonly #queues: StepQueues;
  readonly #workflow: Run;
  /** Runs a function outside of every workflow, where DBOS would make it a part of that. */
  readonly #outside = takeContext();
  /** The steps that this process does or waits for, with the work of those that it has started. */
  readonly #running = new Map<string, Promise<JsonValue>>();
  readonly #own = new Map<string, { readonly token: string; readonly work: () => Promise<StepEnd> }>();
  /** Who waits for a step that another process has, and does it when that one gives it up or dies. */
  readonly #standby = new Map<string, () => void>();
  #liveness: Liveness | undefined;
  #takeover: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(options: DbosEngineOptions, worker: string, connections: PatientPool) {
    this.#options = options;
    this.#worker = worker;
    this.#connections = connections;
    this.#pool = repeating(connections);
    this.#waits = new PostgresWaits(this.#pool);
    this.#queues = new StepQueues(this.#pool, worker);
    this.#workflow = DBOS.registerWorkflow(this.#perform.bind(this), {
      name: WORKFLOW,
      maxRecoveryAttempts: ATTEMPTS,
    });
  }

  async start(): Promise<void> {
    this.#liveness = await Liveness.hold(pg, this.#options.url, this.#worker, this.#answered.notify);
    this.#watch();
  }

  run(key: string, step: DurableStep): Promise<JsonValue> {
    const running = this.#running.get(key);
    if (running !== undefined) return unlessAborted(running, step.signal);
    const done = this.#runOnce(key, step).finally(() => {
      this.#running.delete(key);
      this.#own.delete(key);
      this.#standby.delete(key);
    });
    this.#running.set(key, done);
    return unlessAborted(done, step.signal);
  }

  async find(key: string): Promise<FoundStep | undefined> {
    const visit = this.#visits.get(key);
    if (visit !== undefined) return { state: visit.hadBegun ? "broken" : "submitted", intent: visit.intent };
    const found = await this.#outside(() => DBOS.getWorkflowStatus(toColumn(key)));
    return found === null ? undefined : this.#toFound(found);
  }

  async submit(key: string, intent: JsonValue): Promise<void> {
    const params = { workflowID: toColumn(key), queueName: QUEUE, workflowAttributes: attributesOf(intent) };
    await this.#outside(() => DBOS.startWorkflow(this.#workflow, params)(key, intent, null));
  }

  serve(worker: DurableWorker): () => Promise<void> {
    return this.#visits.serve({
      ...worker,
      accepts: (intent) => worker.accepts(intent),
      handle: (key, intent) => this.#outside(() => worker.handle(key, intent)),
    });
  }

  wait: DurableEngine["wait"] = (key, wait) => awaitAnswer(this.#waits, this.#answered, key, wait);

  signal: DurableEngine["signal"] = (key, answer) => this.#waits.answer(key, answer);

  async list(): ReturnType<DurableEngine["list"]> {
    const found = await this.#outside(() =>
      DBOS.listWorkflows({ workflowName: WORKFLOW, status: ["PENDING", "ENQUEUED"], loadOutput: false }),
    );
    const steps = [];
    for (const status of found) {
      steps.push({ key: fromColumn(status.workflowID), since: status.createdAt, ...(await this.#toFound(status)) });
    }
    return { steps, waits: await this.#waits.open() };
  }

  transcript(session: string): PostgresTranscript {
    return new PostgresTranscript(this.#pool, session, async (): Promise<readonly TranscriptEntry[]> => {
      const attributes = { session: toColumn(session) };
      const done = await this.#outside(() =>
        DBOS.listWorkflows({ workflowName: WORKFLOW, status: "SUCCESS", attributes, loadInput: false }),
      );
      return done.flatMap(({ output }) => (output as StepEnd | undefined)?.entry?.entry ?? []);
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#takeover);
    await DBOS.shutdown({ deregister: true });
    await this.#liveness?.release();
    await this.#connections.end();
  }

  async #runOnce(key: string, step: DurableStep): Promise<JsonValue> {
    const inCaller = takeContext();
    const state: { phase: Phase; end?: StepEnd } = { phase: "starting" };
    const work = async (again: JsonValue | undefined): Promise<StepEnd> => {
      if (state.phase === "given up") return { result: step.notBegun ?? null };
      state.phase = "begun";
      state.end = await inCaller(() => step.work(again));
      state.phase = "ended";
      return state.end;
    };
    const isWaiting = (): void => {
      if (state.phase === "starting") state.phase = "waiting";
    };
    const recorded = this.#start(key, step.intent, work, isWaiting).then((end) => keptOf(end, state.end));
    try {
      return await whileAnswering(recorded, () => state.phase === "starting" || state.phase === "ended");
    } catch (error) {
      if (state.phase === "starting") state.phase = "given up";
      throw new DurableError(`Cannot record the step: ${(error as Error).message}`, { cause: error });
    }
  }

  /** Starts the workflow of a step, or does the step that DBOS gave to this process; returns the recorded end. */
  async #start(
    key: string,
    intent: JsonValue,
    work: (again: JsonValue | undefined) => Promise<StepEnd>,
    onStarted: () => void,
  ): Promise<StepEnd> {
    if (this.#visits.get(key) !== undefined) {
      await this.#doVisit(key, work);
      return this.#outside(() =>
        DBOS.retrieveWorkflow<StepEnd>(toColumn(key)).getResult({ pollingIntervalMs: LOOK_MS }),
      );
    }
    const token = crypto.randomUUID();
    const term = this.#liveness?.term;
    const begin = async (): Promise<StepEnd> => {
      const isSure = term !== undefined && term === this.#liveness?.term;
      // Without the lock, another process may have taken the step: its result is recorded then, not this error.
      if (!isSure && !(await this.#queues.isMine(key))) throw new Error("the step was taken over before it began");
      return work(undefined);
    };
    this.#own.set(key, { token, work: begin });
    this.#standby.set(key, () => void this.#doVisit(key, work));
    const params = { workflowID: toColumn(key), workflowAttributes: attributesOf(intent) };
    const handle = await this.#outside(() => DBOS.startWorkflow(this.#workflow, params)(key, intent, token));
    onStarted();
    const claim = (): void => {
      if (this.#visits.get(key) === undefined) void this.#queues.claim(key).catch(() => undefined);
    };
    const watch = setInterval(claim, CLAIM_MS);
    return this.#outside(() => handle.getResult({ pollingIntervalMs: LOOK_MS })).finally(() => clearInterval(watch));
  }

  /** Does a step that DBOS gave to this process. */
  async #doVisit(key: string, work: (again: JsonValue | undefined) => Promise<StepEnd>): Promise<void> {
    const visit = this.#visits.get(key);
    if (visit === undefined) return;
    this.#visits.delete(key);
    try {
      const again = await visit.begin();
      visit.end(await work(again));
    } catch {
      // The step stays open, and belongs to this process until it ends.
    }
  }

  /** The body of the workflow. The process that started it knows its token. */
  async #perform(key: string, intent: JsonValue, token: string | null): Promise<StepEnd> {
    const own = this.#own.get(key);
    if (own !== undefined && own.token === token) return own.work();
    const inWorkflow = takeContext();
    const begin = async (): Promise<JsonValue | undefined> => {
      if (token !== null) return intent;
      const mine = crypto.randomUUID();
      const first = await inWorkflow(() => DBOS.runStep(async () => mine, { name: "begin" }));
      return first === mine ? undefined : intent;
    };
    const hadBegun = token !== null || (await this.#hasBegun(key));
    try {
      return await new Promise<StepEnd>((end, reject) => {
        const giveBack = (): void => {
          this.#visits.delete(key);
          this.#queues.park(key).then(() => reject(new Error("the step was given back")), reject);
        };
        this.#visits.add({ key, intent, hadBegun, begin, end, giveBack });
        this.#standby.get(key)?.();
      });
    } finally {
      this.#visits.delete(key);
    }
  }

  async #toFound({ status, input, output, executorId, workflowID }: WorkflowStatus): Promise<FoundStep> {
    const [, intent, token] = input as unknown as Parameters<Run>;
    if (status === "SUCCESS") return { state: "done", intent, result: (output as StepEnd).result };
    if (token === null && !(await this.#hasBegun(fromColumn(workflowID)))) return { state: "submitted", intent };
    const isRunning = status === "PENDING" && executorId !== undefined && !(await this.#queues.isDead(executorId));
    return { state: isRunning ? "running" : "broken", intent };
  }

  async #hasBegun(key: string): Promise<boolean> {
    const select = "SELECT 1 FROM dbos.operation_outputs WHERE workflow_uuid = $1 LIMIT 1";
    return (await this.#pool.query(select, [toColumn(key)])).rowCount === 1;
  }

  #watch(): void {
    const { takeoverMs = 2_000 } = this.#options;
    if (this.#isClosed) return;
    this.#takeover = setTimeout(
      () =>
        void this.#outside(() => registerOwnQueue(this.#worker))
          .catch(() => undefined)
          .then(() => this.#queues.takeOver())
          .catch(() => undefined)
          .finally(() => this.#watch()),
      takeoverMs * (0.5 + Math.random() / 2),
    );
    this.#takeover.unref();
  }
}

import { setTimeout as pause } from "node:timers/promises";
import { DBOS, type DLogger, type WorkflowStatus } from "@dbos-inc/dbos-sdk";
import type { JsonValue, TranscriptEntry } from "@dispatch/tools-interface";
import { checkOptions, isJsonObject, sha256, unlessAborted } from "@dispatch/tools-interface/internal";
import pg from "pg";
import { awaitAnswer, WakeSet } from "./await-answer.ts";
import { fromColumn, toColumn, toIndexed } from "./columns.ts";
import type {
  DurableEngine,
  DurableStep,
  DurableTranscript,
  DurableWorker,
  FoundStep,
  OpenWork,
  StepEnd,
} from "./durable-engine.ts";
import { DurableError, stoppedWaiting } from "./durable-error.ts";
import { OPEN, type Send, SqlRecords } from "./sql-records.ts";
import { StepWorkers } from "./step-workers.ts";

/** Options of `openDbosEngine`. */
export interface DbosEngineOptions {
  /** The database, such as `postgres://user:password@host/database`. */
  readonly url: string;
  /**
   * Whether this process takes submitted steps and those of processes that died: it has to call `serve` with the tools
   * then, and holds its steps until it does. `false` for one that only dispatches, submits, answers and looks. Default
   * true.
   */
  readonly serves?: boolean;
  /**
   * Most connections of this process, DBOS's own included; at least 4. One holds the lock that says this process lives,
   * one receives DBOS's notices, the others run statements. Default 5: a server of 100 connections takes 19 workers.
   */
  readonly maxConnections?: number;
  /** Most steps of others that DBOS gives to this process at a time. Default 16. */
  readonly maxTaken?: number;
  /** How long a process that died may go unnoticed, in milliseconds. Default 2,000. */
  readonly takeoverMs?: number;
  /** Receives the errors that DBOS would log, such as a lost connection that it asks for again. Default: dropped. */
  readonly onError?: (error: unknown) => void;
}

/** Between two looks at a step that another process does, in milliseconds. */
const LOOK_MS = 20;
/** Between two looks at whether a step that is waited for can be had, in milliseconds. */
const CLAIM_MS = 400;
/** Before a step is given back once more, when the database could not be asked to, in milliseconds. */
const AGAIN_MS = 500;
/** One for the lock, one for DBOS's notices, one for a look, one for everything else. */
const MIN_CONNECTIONS = 4;
/** More often than any process dies. */
const ATTEMPTS = 1_000_000;

/** `waiting` is for another process, `ended` for the server to record it. */
type Phase = "starting" | "waiting" | "begun" | "ended" | "given up";

/**
 * Keeps calls in PostgreSQL through DBOS Transact, for many processes on many machines. DBOS is one per process: this launches
 * it, so the host must not, and may register workflows of its own before. Needs Node 22, `@dbos-inc/dbos-sdk` and `pg`.
 *
 * @throws {DurableError} When the database cannot be used, or DBOS runs in this process already.
 *
 * @example
 * ```ts
 * const durable = createDurable(await openDbosEngine({ url: "postgres://app@db.example/calls" }));
 * ```
 */
export async function openDbosEngine(options: DbosEngineOptions): Promise<DurableEngine> {
  checkOptions("open the calls", options, {
    url: true,
    serves: true,
    maxConnections: true,
    maxTaken: true,
    takeoverMs: true,
    onError: true,
  });
  const { url, maxConnections = 5 } = options;
  if (!Number.isInteger(maxConnections) || maxConnections < MIN_CONNECTIONS)
    throw new DurableError(
      `Cannot open the calls: maxConnections is ${maxConnections}, at least ${MIN_CONNECTIONS} needed`,
    );
  const worker = takeProcess();
  // One connection is that of the lock.
  const pool = new PatientPool(url, maxConnections - 1);
  const engine = new DbosEngine(options, worker, pool);
  try {
    // Before DBOS gives it anything: a process without its lock counts as dead.
    await engine.start();
    await startAlone(pool, () => launchDbos(pool, worker, options));
    return engine;
  } catch (error) {
    await engine.close();
    throw new DurableError(`Cannot open the calls: ${(error as Error).message}`, { cause: error });
  }
}

class DbosEngine implements DurableEngine {
  readonly #steps: DbosSteps;
  readonly #takeoverMs: number;
  readonly #connections: PatientPool;
  readonly #records: PostgresRecords;
  readonly #answered = new WakeSet();
  /** The steps that DBOS gave to this process, until they are done by who calls `run`, or by a worker. */
  readonly #visits = new Map<string, Visit>();
  readonly #workers = new StepWorkers<Visit>(
    () => this.#visits.values(),
    // It could not be done here yet.
    (visit) => this.#visits.get(visit.key) === visit && visit.giveBack(),
  );
  readonly #workflow: (...step: StepArguments) => Promise<StepEnd>;
  /** Runs a function outside of every workflow, where DBOS would make it a part of that. */
  readonly #outside = takeContext();
  /** The steps that this process does or waits for, with the work of those that it has started. */
  readonly #running = new Map<string, Promise<JsonValue>>();
  readonly #own = new Map<string, { readonly token: string; readonly work: () => Promise<StepEnd> }>();
  /** Who waits for a step that another process has, and does it when that one gives it up or dies. */
  readonly #standby = new Map<string, () => void>();
  /** The steps that DBOS runs here, and those whose work has begun here. */
  readonly #performed = new Set<{ readonly key: string }>();
  readonly #begun = new Map<string, Promise<JsonValue>>();
  readonly #liveness: Liveness;
  #watch: ReturnType<typeof setTimeout> | undefined;
  /** Steps that DBOS gave to this process, and that were not known here at the last look. */
  #stranded: ReadonlySet<string> = new Set();
  #isClosed = false;

  constructor({ url, takeoverMs = 2_000 }: DbosEngineOptions, worker: string, connections: PatientPool) {
    this.#takeoverMs = takeoverMs;
    this.#connections = connections;
    // Each statement may be sent again when its connection ends, because twice is the same as once.
    const send: Send = async (sql, ...values) =>
      (await whileUnreachable(() => connections.query(sql.replaceAll("?", "$"), [...values]))).rows;
    this.#records = new PostgresRecords(send, "dispatch.");
    this.#steps = new DbosSteps(send, worker, this.#outside);
    this.#liveness = new Liveness(url, worker, this.#answered.notify);
    this.#workflow = DBOS.registerWorkflow(this.#perform.bind(this), {
      name: WORKFLOW,
      maxRecoveryAttempts: ATTEMPTS,
    });
  }

  async start(): Promise<void> {
    await this.#liveness.hold();
    this.#lookLater();
  }

  run(key: string, step: DurableStep): Promise<JsonValue> {
    const running = this.#running.get(key);
    if (running !== undefined) return unlessAborted(running, step.signal, stoppedWaiting);
    const done = this.#runOnce(key, step).finally(() => {
      this.#running.delete(key);
      this.#own.delete(key);
      this.#standby.delete(key);
      this.#begun.delete(key);
    });
    this.#running.set(key, done);
    return unlessAborted(done, step.signal, stoppedWaiting);
  }

  async find(key: string): Promise<FoundStep | undefined> {
    const visit = this.#visits.get(key);
    if (visit !== undefined) return { state: visit.hadBegun ? "broken" : "submitted", intent: visit.intent };
    return this.#steps.find(key);
  }

  async submit(key: string, intent: JsonValue): Promise<void> {
    const params = { workflowID: toColumn(key), queueName: QUEUE, workflowAttributes: attributesOf(intent) };
    await this.#outside(() => DBOS.startWorkflow(this.#workflow, params)(key, intent, null));
  }

  serve(worker: DurableWorker): () => Promise<void> {
    return this.#workers.serve({
      ...worker,
      accepts: (intent) => worker.accepts(intent),
      handle: (key, intent) => this.#outside(() => worker.handle(key, intent)),
    });
  }

  wait: DurableEngine["wait"] = (key, wait) => awaitAnswer(this.#records, this.#answered, key, wait);
  signal: DurableEngine["signal"] = (key, answer) => this.#records.answer(key, answer);

  async list(): ReturnType<DurableEngine["list"]> {
    return { steps: await this.#steps.open(), waits: await this.#records.open() };
  }

  transcript(session: string): DurableTranscript {
    const transcript = this.#records.transcript(session);
    return {
      ...transcript,
      entries: async () => {
        // A killed process may not have recorded the entry of a call that has a result.
        for (const entry of await this.#steps.entries(session)) await transcript.append(entry);
        return transcript.entries();
      },
    };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#watch);
    while (this.#begun.size > 0) await Promise.allSettled(this.#begun.values());
    await leaveProcess();
    await this.#liveness.release();
    await this.#connections.end();
  }

  async #runOnce(key: string, step: DurableStep): Promise<JsonValue> {
    const inCaller = takeContext();
    const state: { phase: Phase; end?: StepEnd; work?: Promise<StepEnd> } = { phase: "starting" };
    const doWork = async (again: JsonValue | undefined): Promise<StepEnd> => {
      state.phase = "begun";
      this.#begun.set(key, this.#running.get(key)!);
      state.end = await inCaller(() => step.work(again));
      state.phase = "ended";
      return state.end;
    };
    // A step that comes back here, because this process counted as dead for a while, is still done here.
    const work = async (again: JsonValue | undefined): Promise<StepEnd> =>
      state.phase === "given up" ? { result: step.notBegun ?? null } : (state.work ??= doWork(again));
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
    this.#standby.set(key, () => void this.#doVisit(key, work));
    if (this.#visits.get(key) !== undefined) {
      onStarted();
      await this.#doVisit(key, work);
      return this.#outside(() =>
        DBOS.retrieveWorkflow<StepEnd>(toColumn(key)).getResult({ pollingIntervalMs: LOOK_MS }),
      );
    }
    const token = crypto.randomUUID();
    const { term } = this.#liveness;
    const begin = async (): Promise<StepEnd> => {
      const isSure = term !== undefined && term === this.#liveness.term;
      // Without the lock, another process may have taken the step: its result is recorded then, not this error.
      if (!isSure && !(await this.#surely(() => this.#steps.isMine(key))))
        throw new Error("the step was taken over before it began");
      return work(undefined);
    };
    this.#own.set(key, { token, work: begin });
    const params = { workflowID: toColumn(key), workflowAttributes: attributesOf(intent) };
    const handle = await this.#outside(() => DBOS.startWorkflow(this.#workflow, params)(key, intent, token));
    onStarted();
    const claim = (): void => {
      if (this.#visits.get(key) === undefined) void this.#steps.claim(key).catch(() => undefined);
    };
    const watch = setInterval(claim, CLAIM_MS);
    return this.#outside(() => handle.getResult({ pollingIntervalMs: LOOK_MS })).finally(() => clearInterval(watch));
  }

  /** Does a step that DBOS gave to this process. */
  async #doVisit(key: string, work: (again: JsonValue | undefined) => Promise<StepEnd>): Promise<void> {
    const visit = this.#visits.get(key);
    if (visit === undefined) return;
    this.#visits.delete(key);
    let again: JsonValue | undefined;
    try {
      again = await visit.begin();
    } catch {
      return visit.giveBack();
    }
    visit.end(await work(again));
  }

  /** The body of the workflow. The process that started it knows its token. */
  async #perform(...[key, intent, token]: StepArguments): Promise<StepEnd> {
    const own = this.#own.get(key);
    const performed = { key };
    this.#performed.add(performed);
    try {
      return await (own !== undefined && own.token === token ? own.work() : this.#visit(key, intent, token));
    } catch (error) {
      // First of all, because DBOS records the error as the end of a step that is still this process's.
      await this.#surely(() => this.#steps.park(key));
      throw error;
    } finally {
      this.#performed.delete(performed);
    }
  }

  /** Waits until somebody in this process does a step. */
  async #visit(...[key, intent, token]: StepArguments): Promise<StepEnd> {
    const inWorkflow = takeContext();
    const begin = async (): Promise<JsonValue | undefined> => {
      if (token !== null) return intent;
      const mine = crypto.randomUUID();
      const first = await inWorkflow(() => DBOS.runStep(async () => mine, { name: "begin" }));
      return first === mine ? undefined : intent;
    };
    const hadBegun = token !== null || (await this.#steps.hasBegun(key));
    return new Promise<StepEnd>((end, reject) => {
      const giveBack = (): void => {
        if (this.#visits.get(key) === visit) this.#visits.delete(key);
        reject(new Error("the step was given back"));
      };
      const visit: Visit = { key, intent, hadBegun, begin, end, giveBack };
      this.#visits.set(key, visit);
      this.#workers.offer();
      setTimeout(() => {
        if (this.#visits.get(key) === visit && !this.#workers.isDoing(key)) giveBack();
      }, HOLD_MS).unref();
      this.#standby.get(key)?.();
    });
  }

  /** Asks the database until it answers. Never, once the engine is closed: this process counts as dead then. */
  async #surely<Result>(ask: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await ask();
      } catch {
        if (this.#isClosed) return new Promise(() => undefined);
        await pause(AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  #lookLater(): void {
    if (this.#isClosed) return;
    this.#watch = setTimeout(() => void this.#look(), this.#takeoverMs * (0.5 + Math.random() / 2)).unref();
  }

  /**
   * Looks for steps that nobody does: those of processes that died, and those that DBOS took for this process without running
   * them, because its connection ended after the commit and before the answer. A look that the database does not answer is left
   * out: the next one comes.
   */
  async #look(): Promise<void> {
    const looks = [() => this.#steps.restoreQueue(), () => this.#steps.takeOver(), () => this.#releaseStranded()];
    for (const look of looks) await look().catch(() => undefined);
    this.#lookLater();
  }

  /** Two looks in a row, because a step that DBOS has just taken is not known here yet. */
  async #releaseStranded(): Promise<void> {
    const isKnown = (key: string): boolean =>
      this.#running.has(key) || [...this.#performed].some((performed) => performed.key === key);
    const unknown = (await this.#steps.taken()).filter((key) => !isKnown(key));
    for (const key of unknown) if (this.#stranded.has(key) && !isKnown(key)) await this.#steps.release(key);
    this.#stranded = new Set(unknown);
  }
}

/** How long a step may wait here for somebody who can do it, in milliseconds. */
const HOLD_MS = 2_000;

/** A step that DBOS gave to this process: somebody else submitted it, or had begun it and died. */
interface Visit {
  readonly key: string;
  readonly intent: JsonValue;
  /** Whether it had begun before. */
  readonly hadBegun: boolean;
  /** Records that it begins, and answers the intent if it had begun before. */
  begin(): Promise<JsonValue | undefined>;
  end(end: StepEnd): void;
  /** Gives it to other processes. */
  giveBack(): void;
}

/** The value of this process, where it is the one that counts. */
function keptOf(end: StepEnd, own: StepEnd | undefined): JsonValue {
  const isOwn = own !== undefined && JSON.stringify(own.result) === JSON.stringify(end.result);
  return isOwn ? own.result : end.result;
}

/** The searchable facts: the session, and whether another call makes the step. */
function attributesOf(intent: JsonValue): Record<string, unknown> {
  const { session = "", kind = "", parent } = isJsonObject(intent) ? intent : {};
  return { session: toIndexed(typeof session === "string" ? session : ""), kind, nested: parent !== undefined };
}

/** Runs functions in the asynchronous context of now. */
function takeContext(): <Result>(work: () => Result) => Result {
  return process.getBuiltinModule("node:async_hooks").AsyncLocalStorage.snapshot();
}

/** DBOS's name of the workflow of a step. */
const WORKFLOW = "dispatch.step";
/** The queue of the steps that any worker may do. */
const QUEUE = "dispatch.steps";
/** Names a queue that nobody reads: of steps that wait for the call which makes them, or for a process that can do them. */
const PARKED = "dispatch.parked";
/** After which time a parked call is offered again, in milliseconds: nobody may come for it. */
const PARKED_MS = 5_000;

/** Most steps that one process claims at a time. */
const MAX_CLAIMED = 1_000;

/** Steps in DBOS's own tables: finds them, and moves those of processes that died. */
class DbosSteps {
  readonly #send: Send;
  readonly #worker: string;
  readonly #outside: <Result>(work: () => Result) => Result;

  /**
   * @param worker The name of this process.
   * @param outside Runs a function outside of every workflow.
   */
  constructor(send: Send, worker: string, outside: <Result>(work: () => Result) => Result) {
    this.#send = send;
    this.#worker = worker;
    this.#outside = outside;
  }

  /** A step, if there is one. Most that are looked for are new: a short statement says so. */
  async find(key: string): Promise<FoundStep | undefined> {
    const select = "SELECT 1 FROM dbos.workflow_status WHERE workflow_uuid = ?1";
    if ((await this.#send(select, toColumn(key))).length === 0) return undefined;
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
    const select = "SELECT 1 FROM dbos.operation_outputs WHERE workflow_uuid = ?1 LIMIT 1";
    return (await this.#send(select, toColumn(key))).length === 1;
  }

  async #toFound({ status, input, output, executorId, workflowID }: WorkflowStatus): Promise<FoundStep> {
    const [, intent, token] = input as unknown as StepArguments;
    if (status === "SUCCESS") return { state: "done", intent, result: (output as StepEnd).result };
    if (token === null && !(await this.hasBegun(fromColumn(workflowID)))) return { state: "submitted", intent };
    const isRunning = status === "PENDING" && executorId !== undefined && !(await this.isDead(executorId));
    return { state: isRunning ? "running" : "broken", intent };
  }

  /** Whether a process has died, or has lost its connection. */
  async isDead(worker: string): Promise<boolean> {
    if (worker === this.#worker) return false;
    const key = lockKey(worker);
    // One statement, so that both are done by one connection.
    const select = `SELECT CASE WHEN pg_try_advisory_lock(${key}) THEN pg_advisory_unlock(${key}) ELSE false END AS ended`;
    return (await this.#send(select))[0]?.["ended"] === true;
  }

  /** Whether a step belongs to this process: no other one has taken it over. */
  async isMine(key: string): Promise<boolean> {
    const select = "SELECT executor_id FROM dbos.workflow_status WHERE workflow_uuid = ?1 AND status = 'PENDING'";
    return (await this.#send(select, toColumn(key)))[0]?.["executor_id"] === this.#worker;
  }

  /** Gives a step that this process cannot do to others. */
  park(key: string): Promise<void> {
    return this.#move("workflow_uuid = ?2 AND executor_id = ?3 AND status = 'PENDING'", PARKED, [
      toColumn(key),
      this.#worker,
    ]);
  }

  /** The steps that DBOS gave to this process. */
  async taken(): Promise<readonly string[]> {
    const select =
      "SELECT workflow_uuid FROM dbos.workflow_status WHERE name = ?1 AND status = 'PENDING' AND executor_id = ?2";
    const rows = await this.#send(select, WORKFLOW, this.#worker);
    return rows.map((row) => fromColumn(String(row["workflow_uuid"])));
  }

  /** Makes the queue of this process anew if it is gone: others remove it when they take this process for dead. */
  async restoreQueue(): Promise<void> {
    const found = await this.#send("SELECT 1 FROM dbos.queues WHERE name = ?1", ownQueue(this.#worker));
    if (found.length === 0) await this.#outside(() => registerOwnQueue(this.#worker));
  }

  /** Gives a step that this process has, and does not do, to whoever can do it. */
  async release(key: string): Promise<void> {
    await this.#offer("workflow_uuid = ?2 AND executor_id = ?3 AND status = 'PENDING'", [toColumn(key), this.#worker]);
  }

  /** Gives the steps of dead processes to others. */
  async takeOver(): Promise<void> {
    const queued = `substr(queue_name, ${ownQueue("").length + 1})`;
    const select = `SELECT DISTINCT CASE status WHEN 'PENDING' THEN executor_id ELSE ${queued} END AS worker
      FROM dbos.workflow_status WHERE name = ?1 AND
      (status = 'PENDING' OR (status = 'ENQUEUED' AND queue_name LIKE '${ownQueue("%")}'))`;
    for (const { worker } of await this.#send(select, WORKFLOW)) {
      const dead = String(worker);
      if (!(await this.isDead(dead))) continue;
      const left = "((status = 'PENDING' AND executor_id = ?2) OR (status = 'ENQUEUED' AND queue_name = ?3))";
      await this.#offer(left, [dead, ownQueue(dead)]);
      await this.#send("DELETE FROM dbos.queues WHERE name = ?1", ownQueue(dead));
    }
    const old = "status = 'ENQUEUED' AND queue_name = ?2 AND updated_at < ?3 AND attributes->>'kind' = 'call'";
    await this.#move(old, QUEUE, [PARKED, String(Date.now() - PARKED_MS)]);
  }

  /** Gives a step that is waited for here to this process, if nobody does it. */
  async claim(key: string): Promise<void> {
    const select = "SELECT executor_id FROM dbos.workflow_status WHERE workflow_uuid = ?1 AND status = 'PENDING'";
    const executor = (await this.#send(select, toColumn(key)))[0]?.["executor_id"];
    const dead = typeof executor === "string" && (await this.isDead(executor)) ? executor : "";
    const isFree = "((status = 'PENDING' AND executor_id = ?3) OR (status = 'ENQUEUED' AND queue_name IN (?4, ?5)))";
    await this.#move(`workflow_uuid = ?2 AND ${isFree}`, ownQueue(this.#worker), [toColumn(key), dead, PARKED, QUEUE]);
  }

  /** Gives steps to all workers. A nested call's step waits for the outer call. */
  async #offer(which: string, values: readonly string[]): Promise<void> {
    await this.#move(`${which} AND attributes->>'nested' = 'true'`, PARKED, values);
    await this.#move(which, QUEUE, values);
  }

  /**
   * Moves steps to a queue. As DBOS's own recovery does it, in one statement: no step is moved that another process has taken
   * in between, and the process that had it cannot record a result any more.
   */
  async #move(which: string, queue: string, values: readonly string[]): Promise<void> {
    const statement = `UPDATE dbos.workflow_status SET status = 'ENQUEUED', queue_name = ?1, owner_xid = NULL,
      started_at_epoch_ms = NULL, updated_at = (EXTRACT(EPOCH FROM now()) * 1000)::bigint
      WHERE name = '${WORKFLOW}' AND ${which}`;
    await this.#send(statement, queue, ...values);
  }
}

/** The queue of the steps that only one process shall do. */
function ownQueue(worker: string): string {
  return `dispatch.of.${worker}`;
}

/** Registers a queue in the database, or changes its settings there. */
async function registerQueue(name: string, workerConcurrency: number): Promise<void> {
  await DBOS.registerQueue(name, { workerConcurrency, minPollingIntervalMs: 100, onConflict: "always_update" });
}

/** Registers the queue of the steps that only one process shall do. */
function registerOwnQueue(worker: string): Promise<void> {
  return registerQueue(ownQueue(worker), MAX_CLAIMED);
}

/** The arguments of the workflow of a step: its key and intent, and the token of the process that began it at once. */
type StepArguments = readonly [key: string, intent: JsonValue, token: string | null];

/** Starts DBOS on the connections of the engine, with its queues. */
async function launchDbos(
  pool: PatientPool,
  worker: string,
  { url, serves = true, maxTaken = 16, onError }: DbosEngineOptions,
): Promise<void> {
  DBOS.setConfig({
    name: "dispatch",
    systemDatabaseUrl: url,
    systemDatabasePool: pool,
    // So that looks at other processes' steps and queues leave a connection for everything else.
    systemDatabasePollingConcurrency: 1,
    maxConcurrentQueueDispatches: 1,
    executorID: worker,
    applicationVersion: "dispatch-1",
    logger: loggerOf(onError),
    listenQueues: [ownQueue(worker), ...(serves ? [QUEUE] : [])],
  });
  await whileUnreachable(async () => {
    try {
      await DBOS.launch();
    } catch (error) {
      await DBOS.shutdown();
      throw error;
    }
  });
  await whileUnreachable(() => registerQueue(QUEUE, maxTaken));
  await whileUnreachable(() => registerOwnQueue(worker));
}

/** The console is the host's. An error that ends a call is in the result of that call. */
function loggerOf(onError: (error: unknown) => void = () => undefined): DLogger {
  const ignore = (): void => undefined;
  return {
    info: ignore,
    debug: ignore,
    warn: ignore,
    error: (entry, metadata) => onError(metadata?.error ?? new Error(String(entry))),
  };
}

let owner: string | undefined;

/**
 * Takes DBOS, of which there is one per process, and returns the name of this process as a worker.
 *
 * @throws {DurableError} While another engine, or the host, has it.
 */
function takeProcess(): string {
  if (owner !== undefined || DBOS.isInitialized())
    throw new DurableError(
      "Cannot open the calls: DBOS is one per process and in use here. Close the engine that is open, or open this one in another process",
    );
  return (owner = crypto.randomUUID());
}

/** Ends DBOS, so that another engine may be opened. */
async function leaveProcess(): Promise<void> {
  try {
    await DBOS.shutdown({ deregister: true });
  } finally {
    owner = undefined;
  }
}

/** Between two tries to reach the server again, in milliseconds. */
const RECONNECT_MS = 500;
/** The channel of changes of questions. */
const CHANNEL = "dispatch_wait";

/**
 * Says that a process lives: a lock of the server that its connection holds, which the server frees when the connection
 * ends. A process that lost its connection counts as dead until it has another one.
 */
class Liveness {
  readonly #url: string;
  readonly #key: string;
  readonly #onNotice: () => void;
  #client: pg.Client | undefined;
  #held = 0;
  #isClosed = false;

  /** @param onNotice Called when another process has changed a question. */
  constructor(url: string, worker: string, onNotice: () => void) {
    this.#url = url;
    this.#key = lockKey(worker);
    this.#onNotice = onNotice;
  }

  hold(): Promise<void> {
    return whileUnreachable(() => this.#connect());
  }

  /** Names the time for which the lock is held: another one after each loss; `undefined` while it is not held. */
  get term(): number | undefined {
    return this.#client && this.#held;
  }

  async release(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url, keepAlive: true });
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
    }, RECONNECT_MS);
    timer.unref();
  }
}

/** A number of 63 bits. */
function lockKey(worker: string): string {
  return BigInt.asIntN(64, BigInt(`0x${sha256(`dispatch ${worker}`).slice(0, 16)}`)).toString();
}

/** The questions and transcripts of a database. */
class PostgresRecords extends SqlRecords {
  override async answer(key: string, answer: JsonValue): Promise<boolean> {
    // The id tells this answer from an equal one of somebody else when the statement is sent again.
    const statement = `WITH answered AS (UPDATE dispatch.wait SET answer = ?3, answer_id = ?4
      WHERE key = ?2 AND (answer_id = ?4 OR ${OPEN}) RETURNING key)
      SELECT pg_notify('${CHANNEL}', '') FROM answered`;
    const values = [Date.now(), toColumn(key), JSON.stringify(answer), crypto.randomUUID()];
    return (await this.send(statement, ...values)).length === 1;
  }
}

/** The lock of the process that starts. */
const START_LOCK = 5_318_008_731;
/** Longest wait for it, in milliseconds: for as many processes as start together. */
const MAX_WAIT_MS = 120_000;
/** Between two tries to take it, in milliseconds. */
const START_LOOK_MS = 50;

/** Questions and transcripts, beside DBOS's own tables. */
const TABLES = `
CREATE SCHEMA IF NOT EXISTS dispatch;
CREATE TABLE IF NOT EXISTS dispatch.wait (
  key TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  question TEXT NOT NULL,
  since BIGINT NOT NULL,
  expires_at BIGINT,
  answer TEXT,
  answer_id TEXT,
  lapsed BOOLEAN NOT NULL DEFAULT false
);
ALTER TABLE dispatch.wait ADD COLUMN IF NOT EXISTS answer_id TEXT;
CREATE INDEX IF NOT EXISTS open_wait ON dispatch.wait (since) WHERE answer IS NULL AND NOT lapsed;
CREATE TABLE IF NOT EXISTS dispatch.entry (
  number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session TEXT NOT NULL,
  digest TEXT NOT NULL,
  call_id TEXT NOT NULL,
  turn TEXT,
  entry TEXT NOT NULL,
  UNIQUE (session, digest)
);
CREATE INDEX IF NOT EXISTS entry_of_call ON dispatch.entry (session, call_id)`;

/**
 * Starts one process at a time on a database, and creates the missing tables: DBOS's migrations fail when two processes
 * make them together.
 */
async function startAlone(pool: PatientPool, start: () => Promise<void>): Promise<void> {
  const until = performance.now() + MAX_WAIT_MS;
  const client = await whileUnreachable(async () => {
    const connected = await pool.connect();
    try {
      // Not one statement that waits: DBOS's migrations in turn wait for the end of every statement.
      for (;;) {
        const { rows } = await connected.query<{ held: boolean }>(`SELECT pg_try_advisory_lock(${START_LOCK}) AS held`);
        if (rows[0]?.held === true) return connected;
        if (performance.now() > until) throw new Error(`another process has been starting for ${MAX_WAIT_MS} ms`);
        await pause(START_LOOK_MS * (0.5 + Math.random()));
      }
    } catch (error) {
      connected.release(true);
      throw error;
    }
  });
  try {
    await start();
    await whileUnreachable(() => pool.query(TABLES));
  } finally {
    // The server frees the lock with the connection.
    client.release(true);
  }
}

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
class PatientPool extends pg.Pool {
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

type Query = (this: pg.Client, ...given: unknown[]) => unknown;
type Callback = (error: unknown, result: unknown) => void;

/** A connection whose errors DBOS can tell from those of a statement. */
class PatientClient extends pg.Client {
  override query = ((...given: unknown[]): unknown => {
    const query = Reflect.get(pg.Client.prototype, "query") as Query;
    const callback = given.at(-1);
    if (typeof callback === "function") {
      const answered: Callback = (error, result) => (callback as Callback)(error && toRepeatable(error), result);
      return query.apply(this, [...given.slice(0, -1), answered]);
    }
    const answer = query.apply(this, given);
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: unknown) => {
      throw toRepeatable(error);
    });
  }) as pg.Client["query"];
}

const ANSWER_LOOK_MS = 1_000;

/** Settles as the promise does, or rejects when it has been the server's turn for too long. */
function whileAnswering<Result>(promise: Promise<Result>, isServersTurn: () => boolean): Promise<Result> {
  return new Promise((resolve, reject) => {
    let since = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      if (!isServersTurn()) since = now;
      else if (now - since > MAX_SILENCE_MS) reject(new Error(`the server has not answered for ${MAX_SILENCE_MS} ms`));
    }, ANSWER_LOOK_MS);
    promise.then(resolve, reject).finally(() => clearInterval(timer));
  });
}

/** Longest time without the server, in milliseconds. */
const MAX_SILENCE_MS = 10_000;
/** Between two tries, in milliseconds: doubled from the first to the second, each time between half and the whole of it. */
const PAUSE_MS = [20, 1_000] as const;
/** Connection exceptions, insufficient resources ("too many clients"), and operator intervention ("shutting down"). */
const TRANSIENT =
  /^(?:08...|53...|57P0.|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOENT|EPIPE|ETIMEDOUT|EAI_AGAIN)$/;
/** The last is a queue that others removed while it was registered, because its process had lost its connection. */
const LOST =
  /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect|missing from database after upsert/i;

/** Tries again with growing pauses while the server cannot be reached, is full, or ends its connections. */
async function whileUnreachable<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const [first, longest] = PAUSE_MS;
  const until = performance.now() + MAX_SILENCE_MS;
  for (let most: number = first; ; most = Math.min(most * 2, longest)) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = most * (0.5 + Math.random() / 2);
      if (!isTransient(error) || performance.now() + waitMs > until) throw error;
      await pause(waitMs);
    }
  }
}

/** The code of an error for which DBOS sends a statement again: connection failure. */
const REPEATABLE = "08006";

/**
 * An error of the connection in the form that DBOS knows, which sends the statement again then. Another one, such as
 * `EPIPE`, it records as the end of the step.
 */
function toRepeatable(thrown: unknown): unknown {
  if (!isTransient(thrown)) return thrown;
  return Object.assign(new Error((thrown as Error).message, { cause: thrown }), { code: REPEATABLE });
}

/** Whether an error is of the connection, and not of the statement. DBOS keeps the error that ended its start as `error`. */
function isTransient(thrown: unknown): boolean {
  const { code, message, errors, error } = Object(thrown) as Readonly<Record<string, unknown>>;
  if (Array.isArray(errors)) return errors.some(isTransient);
  if (error instanceof Error && error !== thrown) return isTransient(error);
  return TRANSIENT.test(String(code)) || LOST.test(String(message));
}

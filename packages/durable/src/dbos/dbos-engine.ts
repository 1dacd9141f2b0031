import { setTimeout as pause } from "node:timers/promises";
import { DBOS } from "@dbos-inc/dbos-sdk";
import type { JsonValue } from "@dispatch/tools-interface";
import { checkOptions, unlessAborted } from "@dispatch/tools-interface/internal";
import pg from "pg";
import { awaitAnswer, WakeSet } from "../await-answer.ts";
import { toColumn } from "../column-text.ts";
import type { DurableEngine, DurableStep, DurableWorker, FoundStep, StepEnd } from "../durable-engine.ts";
import { DurableError, stoppedWaiting } from "../durable-error.ts";
import type { DbosEngineOptions } from "./dbos-engine-options.ts";
import { launchDbos, type StepArguments } from "./launch-dbos.ts";
import { Liveness } from "./liveness.ts";
import { leaveProcess, takeProcess } from "./own-process.ts";
import { PatientPool, repeating } from "./patient-pool.ts";
import type { PostgresPool } from "./postgres-client.ts";
import { startAlone } from "./postgres-tables.ts";
import { PostgresTranscript } from "./postgres-transcript.ts";
import { PostgresWaits } from "./postgres-waits.ts";
import { QUEUE, StepQueues, WORKFLOW } from "./step-queues.ts";
import { attributesOf, keptOf } from "./step-record.ts";
import { StepRecords } from "./step-records.ts";
import { takeContext } from "./take-context.ts";
import { Takeover } from "./takeover.ts";
import { Visits, type Visit } from "./visits.ts";
import { whileAnswering } from "./while-answering.ts";

export type { DbosEngineOptions } from "./dbos-engine-options.ts";

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
  const { url, maxTaken = 16, maxConnections = 5, serves = true, onError } = options;
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
    await startAlone(pool, () => launchDbos(pool, { url, worker, serves, maxTaken, onError }));
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
  readonly #records: StepRecords;
  readonly #takeover: Takeover;
  readonly #connections: PatientPool;
  readonly #pool: PostgresPool;
  readonly #waits: PostgresWaits;
  readonly #answered = new WakeSet();
  readonly #visits = new Visits();
  readonly #queues: StepQueues;
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
  #liveness: Liveness | undefined;
  #isClosed = false;

  constructor(options: DbosEngineOptions, worker: string, connections: PatientPool) {
    this.#options = options;
    this.#worker = worker;
    this.#connections = connections;
    this.#pool = repeating(connections);
    this.#waits = new PostgresWaits(this.#pool);
    this.#queues = new StepQueues(this.#pool, worker);
    this.#records = new StepRecords(this.#pool, this.#queues, this.#outside);
    const isKnown = (key: string): boolean =>
      this.#running.has(key) || [...this.#performed].some((performed) => performed.key === key);
    this.#takeover = new Takeover(this.#queues, this.#outside, { everyMs: options.takeoverMs, isKnown });
    this.#workflow = DBOS.registerWorkflow(this.#perform.bind(this), {
      name: WORKFLOW,
      maxRecoveryAttempts: ATTEMPTS,
    });
  }

  async start(): Promise<void> {
    this.#liveness = await Liveness.hold(pg, this.#options.url, this.#worker, this.#answered.notify);
    this.#takeover.start();
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
    return this.#records.find(key);
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
    return { steps: await this.#records.open(), waits: await this.#waits.open() };
  }

  transcript(session: string): PostgresTranscript {
    return new PostgresTranscript(this.#pool, session, () => this.#records.entries(session));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#takeover.stop();
    while (this.#begun.size > 0) await Promise.allSettled(this.#begun.values());
    await leaveProcess();
    await this.#liveness?.release();
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
    const term = this.#liveness?.term;
    const begin = async (): Promise<StepEnd> => {
      const isSure = term !== undefined && term === this.#liveness?.term;
      // Without the lock, another process may have taken the step: its result is recorded then, not this error.
      if (!isSure && !(await this.#surely(() => this.#queues.isMine(key))))
        throw new Error("the step was taken over before it began");
      return work(undefined);
    };
    this.#own.set(key, { token, work: begin });
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
    this.#visits.delete(visit);
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
      await this.#surely(() => this.#queues.park(key));
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
    const hadBegun = token !== null || (await this.#records.hasBegun(key));
    return new Promise<StepEnd>((end, reject) => {
      const giveBack = (): void => {
        this.#visits.delete(visit);
        reject(new Error("the step was given back"));
      };
      const visit: Visit = { key, intent, hadBegun, begin, end, giveBack };
      this.#visits.add(visit);
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
}

import { existsSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import type * as Sqlite from "node:sqlite";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { JsonValue } from "@dispatch/tools-interface";
import { unlessAborted } from "@dispatch/tools-interface/internal";
import { awaitAnswer, WakeSet } from "./await-answer.ts";
import { fromColumn, toColumn } from "./columns.ts";
import type { DurableEngine, DurableStep, DurableWorker, FoundStep, StepEnd } from "./durable-engine.ts";
import { DurableError, stoppedWaiting } from "./durable-error.ts";
import { insertEntry, type Row, type Send, SqlRecords, toEntryRow, type Value } from "./sql-records.ts";
import { SCHEMA, VERSION, writeColumns } from "./sqlite-schema.ts";

/** Between two looks at whether a process that is waited for still lives, in milliseconds. */
const ALIVE_MS = 500;
/** Between two tries to record a result that could not be recorded, in milliseconds. */
const RETRY_MS = 1_000;
/** Between two tries to do a step that could not be done yet, in milliseconds. */
const AGAIN_MS = 1_000;

/**
 * Keeps calls in one file, for the processes of one machine: a ledger of intents and results, and no server. Needs Node
 * 22.13. The file must be on a local disk, because the locks of network file systems cannot be relied on.
 *
 * @throws {DurableError} When the file cannot be used.
 *
 * @example
 * ```ts
 * const durable = createDurable(await openSqliteEngine("calls.db"));
 * ```
 */
export async function openSqliteEngine(file: string): Promise<DurableEngine> {
  const place = path.resolve(file);
  const ledger = await Ledger.open(place);
  try {
    const workers = new Workers(ledger, place);
    await workers.join();
    return new SqliteEngine(ledger, workers);
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

class SqliteEngine implements DurableEngine {
  readonly #ledger: Ledger;
  readonly #workers: Workers;
  readonly #steps: Steps;
  readonly #records: SqlRecords;
  readonly #wakeUp: WakeUp;
  /** The steps that this process does. */
  readonly #running = new Map<string, Promise<JsonValue>>();
  /** The work that this process does: until it ends, no other process may take this one for dead. */
  readonly #working = new Set<Promise<unknown>>();
  /** Results that could not be recorded yet. */
  readonly #unrecorded = new Map<string, JsonValue>();
  readonly #closing = new AbortController();

  constructor(ledger: Ledger, workers: Workers) {
    this.#ledger = ledger;
    this.#workers = workers;
    this.#steps = new Steps(ledger, workers);
    this.#wakeUp = new WakeUp(() => ledger.dataVersion);
    this.#records = new SqlRecords(ledger.send);
    ledger.onCommit = this.#wakeUp.notify;
  }

  async run(key: string, step: DurableStep): Promise<JsonValue> {
    const running = this.#running.get(key);
    if (running !== undefined) return unlessAborted(running, step.signal, stoppedWaiting);
    const unrecorded = this.#unrecorded.get(key);
    if (unrecorded !== undefined) return unrecorded;
    const done = this.#runOnce(key, step).finally(() => this.#running.delete(key));
    this.#running.set(key, done);
    return done;
  }

  find: DurableEngine["find"] = (key) => this.#steps.find(key);

  submit(key: string, intent: JsonValue): Promise<void> {
    return this.#steps.submit(key, JSON.stringify(intent));
  }

  serve(worker: DurableWorker): () => Promise<void> {
    const { maxConcurrency = 8 } = worker;
    const stop = new AbortController();
    const active = new Map<string, Promise<void>>();
    /** Steps that could not be done yet, with the time before which they are not tried again. */
    const later = new Map<string, number>();
    const isWanted = (key: string, intent: JsonValue): boolean =>
      !active.has(key) && !((later.get(key) ?? 0) > performance.now()) && worker.accepts(intent);
    const handle = async (key: string, intent: JsonValue): Promise<void> => {
      later.delete(key);
      await worker.handle(key, intent);
      if ((await this.#steps.find(key))?.state === "done") return;
      later.set(key, performance.now() + AGAIN_MS);
      await this.#steps.release(key);
    };
    const loop = async (): Promise<void> => {
      const both = AbortSignal.any([stop.signal, this.#closing.signal]);
      while (!both.aborted) {
        const free = maxConcurrency - active.size;
        const taken = free > 0 ? await this.#steps.take(free, isWanted).catch(() => []) : [];
        for (const { key, intent } of taken) {
          const doing = handle(key, intent)
            .catch(() => undefined)
            .finally(() => {
              active.delete(key);
              this.#wakeUp.notify();
            });
          active.set(key, doing);
        }
        if (taken.length === 0 || active.size >= maxConcurrency) await this.#wakeUp.next(ALIVE_MS, both);
      }
      await Promise.all(active.values());
    };
    const ended = loop();
    return () => {
      stop.abort();
      return ended;
    };
  }

  wait: DurableEngine["wait"] = (key, wait) => awaitAnswer(this.#records, this.#wakeUp, key, wait);

  signal: DurableEngine["signal"] = (key, answer) => this.#records.answer(key, answer);

  async list(): ReturnType<DurableEngine["list"]> {
    const [steps, waits] = [await this.#steps.open(), await this.#records.open()];
    return { steps, waits };
  }

  transcript: NonNullable<DurableEngine["transcript"]> = (session) => this.#records.transcript(session);

  async close(): Promise<void> {
    this.#closing.abort();
    while (this.#working.size > 0) await Promise.allSettled(this.#working);
    await this.#ledger.close();
    this.#workers.leave();
  }

  async #runOnce(key: string, step: DurableStep): Promise<JsonValue> {
    const intent = JSON.stringify(step.intent);
    for (;;) {
      const claim = await this.#steps.claim(key, intent);
      if (claim.kind === "done") return JSON.parse(claim.result) as JsonValue;
      if (claim.kind === "mine") {
        const { fence, again } = claim;
        const recorded = step.work(again).then((end) => this.#record(key, fence, end));
        this.#working.add(recorded);
        return await recorded.finally(() => this.#working.delete(recorded));
      }
      while (await this.#steps.isHeldBy(key, claim.worker)) {
        await this.#wakeUp.next(ALIVE_MS, step.signal);
        if (step.signal?.aborted) throw stoppedWaiting();
      }
    }
  }

  /** The result that counts: this one, unless another process has taken the step in between. */
  async #record(key: string, fence: number, end: StepEnd): Promise<JsonValue> {
    const text = JSON.stringify(end.result);
    const entry = end.entry && toEntryRow(end.entry.session, end.entry.entry);
    try {
      const recorded = await this.#steps.finish(key, fence, text, entry);
      return recorded === text ? end.result : (JSON.parse(recorded) as JsonValue);
    } catch (error) {
      this.#unrecorded.set(key, end.result);
      this.#recordLater(key, fence, text, entry);
      throw error;
    }
  }

  #recordLater(key: string, fence: number, text: string, entry: EntryRow | undefined): void {
    const timer = setTimeout(() => {
      if (this.#closing.signal.aborted) return;
      this.#steps.finish(key, fence, text, entry).then(
        () => this.#unrecorded.delete(key),
        () => this.#recordLater(key, fence, text, entry),
      );
    }, RETRY_MS);
    timer.unref();
  }
}

type EntryRow = ReturnType<typeof toEntryRow>;

/** The result of taking a step. */
type Claim =
  | { readonly kind: "done"; readonly result: string }
  | { readonly kind: "mine"; readonly fence: number; readonly again: JsonValue | undefined }
  | { readonly kind: "other"; readonly worker: string };

/** A step of the ledger that this process may take. */
interface TakenStep {
  readonly key: string;
  readonly intent: JsonValue;
}

const STEP = "SELECT key, state, worker, fence, since, intent, result FROM step";

/** Steps that are read at a time. */
const PAGE = 50;
/** Most characters of intents that are looked through before others have their turn. */
const MAX_SCANNED_CHARS = 1_000_000;
const START = [Number.MIN_SAFE_INTEGER, ""] as const;

/** The steps of the ledger. */
class Steps {
  readonly #ledger: Ledger;
  readonly #workers: Workers;

  /** How far a worker's steps were looked through when they were too many. */
  readonly #stoppedAt = new Map<string | null, readonly [since: number, key: string]>();

  constructor(ledger: Ledger, workers: Workers) {
    this.#ledger = ledger;
    this.#workers = workers;
  }

  /** Takes a step for this process, unless it is done or another living process has it. */
  claim(key: string, intent: string): Promise<Claim> {
    const { own } = this.#workers;
    const column = toColumn(key);
    return this.#ledger.transact((): Claim => {
      const row = this.#ledger.one(`${STEP} WHERE key = ?`, column);
      if (row === undefined) {
        this.#ledger.change(
          "INSERT INTO step VALUES (?, 'running', ?, 1, ?, ?, NULL, NULL)",
          column,
          own,
          Date.now(),
          intent,
        );
        return { kind: "mine", fence: 1, again: undefined };
      }
      const { worker, state } = row;
      if (state === "done") return { kind: "done", result: String(row["result"]) };
      if (typeof worker === "string" && worker !== own && !this.#workers.isKnownDead(worker))
        return { kind: "other", worker };
      const fence = Number(row["fence"]) + 1;
      // The intent of the process that had begun stays: it pins the version of the tool.
      const hadBegun = state !== "submitted";
      const recorded = hadBegun ? String(row["intent"]) : intent;
      this.#ledger.change(
        "UPDATE step SET state = 'running', worker = ?, fence = ?, intent = ? WHERE key = ?",
        own,
        fence,
        recorded,
        column,
      );
      return { kind: "mine", fence, again: hadBegun ? (JSON.parse(recorded) as JsonValue) : undefined };
    });
  }

  /** Records the result of a step. Answers the one that counts: another process may have taken the step in between. */
  finish(key: string, fence: number, result: string, entry: EntryRow | undefined): Promise<string> {
    const column = toColumn(key);
    return this.#ledger.transact(() => {
      const isOwn = "WHERE key = ? AND fence = ? AND result IS NULL";
      const done = this.#ledger.change(`UPDATE step SET state = 'done', result = ? ${isOwn}`, result, column, fence);
      if (done === 1) {
        if (entry !== undefined) this.#ledger.change(insertEntry(), ...entry);
        return result;
      }
      const recorded = this.#ledger.one("SELECT result FROM step WHERE key = ?", column)?.["result"];
      this.#ledger.change("UPDATE step SET late = ? WHERE key = ? AND late IS NULL", result, column);
      return typeof recorded === "string" ? recorded : result;
    });
  }

  /** Records a step that nobody has begun. */
  async submit(key: string, intent: string): Promise<void> {
    const insert = "INSERT INTO step VALUES (?, 'submitted', NULL, 0, ?, ?, NULL, NULL) ON CONFLICT DO NOTHING";
    await this.#ledger.transact(() => this.#ledger.change(insert, toColumn(key), Date.now(), intent));
  }

  async find(key: string): Promise<FoundStep | undefined> {
    const row = await this.#ledger.read(() => this.#ledger.one(`${STEP} WHERE key = ?`, toColumn(key)));
    return row && (await this.#toFound(row));
  }

  /** Whether a step is open and a living process has it. */
  async isHeldBy(key: string, worker: string): Promise<boolean> {
    const select = "SELECT worker FROM step WHERE key = ? AND result IS NULL";
    const row = await this.#ledger.read(() => this.#ledger.one(select, toColumn(key)));
    return row?.["worker"] === worker && !(await this.#workers.isDead(worker));
  }

  /** Steps without a result, oldest first. */
  async open(): Promise<readonly (FoundStep & { readonly key: string; readonly since: number })[]> {
    const rows = await this.#ledger.read(() => this.#ledger.all(`${STEP} WHERE result IS NULL ORDER BY since, key`));
    const found = [];
    for (const row of rows) {
      found.push({ key: fromColumn(String(row["key"])), since: Number(row["since"]), ...(await this.#toFound(row)) });
    }
    return found;
  }

  /** Takes steps that were submitted, and those whose process has died, so that no other worker takes them too. */
  async take(most: number, isWanted: (key: string, intent: JsonValue) => boolean): Promise<readonly TakenStep[]> {
    const wanted: (TakenStep & { readonly from: string | null })[] = [];
    for (const from of [...(await this.#workers.findDead()), null]) {
      await this.#scan(from, (key, intent) => {
        if (isWanted(key, intent)) wanted.push({ key, intent, from });
        return wanted.length < most;
      });
      if (wanted.length >= most) break;
    }
    if (wanted.length === 0) return [];
    const statement =
      "UPDATE step SET state = CASE state WHEN 'submitted' THEN state ELSE 'broken' END, worker = ?, fence = fence + 1 WHERE key = ? AND worker IS ? AND result IS NULL";
    const { own } = this.#workers;
    return this.#ledger.transact(() =>
      wanted.filter(({ key, from }) => this.#ledger.change(statement, own, toColumn(key), from) === 1),
    );
  }

  /** Goes through the open steps of a worker, oldest first, and goes on where it stopped if they are too many for one time. */
  async #scan(worker: string | null, look: (key: string, intent: JsonValue) => boolean): Promise<void> {
    const select = `${STEP} WHERE worker IS ? AND result IS NULL AND (since, key) > (?, ?) ORDER BY since, key LIMIT ${PAGE}`;
    let [since, last] = this.#stoppedAt.get(worker) ?? START;
    this.#stoppedAt.delete(worker);
    for (let chars = 0; chars < MAX_SCANNED_CHARS;) {
      const [after, key] = [since, last];
      const rows = await this.#ledger.read(() => this.#ledger.all(select, worker, after, key));
      for (const row of rows) {
        [since, last] = [Number(row["since"]), String(row["key"])];
        const intent = String(row["intent"]);
        chars += intent.length;
        if (!look(fromColumn(last), readable(intent))) return;
      }
      if (rows.length < PAGE) return;
    }
    this.#stoppedAt.set(worker, [since, last]);
  }

  /** Gives a step back that was taken and not run. */
  async release(key: string): Promise<void> {
    const statement =
      "UPDATE step SET worker = CASE state WHEN 'submitted' THEN NULL ELSE '' END WHERE key = ? AND worker = ? AND state <> 'running' AND result IS NULL";
    await this.#ledger.transact(() => this.#ledger.change(statement, toColumn(key), this.#workers.own));
  }

  async #toFound(row: Row): Promise<FoundStep> {
    const intent = readable(String(row["intent"]));
    const { state, worker, result } = row;
    if (state === "done") return { state, intent, result: JSON.parse(String(result)) as JsonValue };
    if (state === "submitted") return { state, intent };
    const isBroken = state === "broken" || typeof worker !== "string" || (await this.#workers.isDead(worker));
    return { state: isBroken ? "broken" : "running", intent };
  }
}

/** An intent; `null`, which nobody takes, for one that somebody damaged. */
function readable(intent: string): JsonValue {
  try {
    return JSON.parse(intent) as JsonValue;
  } catch {
    return null;
  }
}

/** The processes that have a ledger open, each with a locked file beside it. */
class Workers {
  readonly own: string = crypto.randomUUID();
  readonly #ledger: Ledger;
  readonly #file: string;
  readonly #lock: DatabaseSync;
  /** A process that died stays dead: each has a name of its own. The empty name stands for one that gave its steps up. */
  readonly #dead = new Set<string>([""]);

  constructor(ledger: Ledger, file: string) {
    this.#ledger = ledger;
    this.#file = file;
    this.#lock = lock(this.#lockOf(this.own));
  }

  /** Says that this process lives, and forgets those that died and left nothing open. */
  async join(): Promise<void> {
    const insert = "INSERT INTO worker VALUES (?, ?)";
    await this.#ledger.transact(() => this.#ledger.change(insert, this.own, Date.now()));
    await this.#forget();
  }

  /** Whether a process is known to have died, without looking. */
  isKnownDead(worker: string): boolean {
    return this.#dead.has(worker);
  }

  /** Whether a process has died. */
  async isDead(worker: string): Promise<boolean> {
    if (worker === this.own) return false;
    if (!this.#dead.has(worker) && (await this.#ledger.read(() => isFree(this.#lockOf(worker)))))
      this.#dead.add(worker);
    return this.#dead.has(worker);
  }

  /** The dead processes that have left something open. */
  async findDead(): Promise<readonly string[]> {
    const statement = "SELECT DISTINCT worker FROM step WHERE result IS NULL AND worker IS NOT NULL";
    const named = await this.#ledger.read(() => this.#ledger.all(statement));
    const dead: string[] = [];
    for (const { worker } of named) if (await this.isDead(String(worker))) dead.push(String(worker));
    return dead;
  }

  leave(): void {
    this.#lock.close();
    rmSync(this.#lockOf(this.own), { force: true });
  }

  async #forget(): Promise<void> {
    const idle =
      "SELECT id FROM worker WHERE id NOT IN (SELECT worker FROM step WHERE result IS NULL AND worker IS NOT NULL)";
    for (const { id } of await this.#ledger.read(() => this.#ledger.all(idle))) {
      const worker = String(id);
      if (!(await this.isDead(worker))) continue;
      await this.#ledger.transact(() => this.#ledger.change("DELETE FROM worker WHERE id = ?", worker));
      rmSync(this.#lockOf(worker), { force: true });
    }
  }

  #lockOf(worker: string): string {
    return `${this.#file}-worker-${worker}`;
  }
}

/**
 * Locks a file, which says that this process lives: the kernel frees the lock when the process ends, however it ends, and not
 * before; so no clock takes part, and a process that is only slow or stopped is never taken for a dead one.
 */
function lock(file: string): DatabaseSync {
  const database = connect(file);
  try {
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Whether the process that locked a file has ended. */
function isFree(file: string): boolean {
  if (!existsSync(file)) return true;
  try {
    lock(file).close();
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === BUSY) return false;
    throw error;
  }
}

/** Between two looks at whether another process has written, in milliseconds. A look takes a few microseconds. */
const LOOK_MS = 20;

/** Wakes those who wait for a change of a file that several processes write. */
class WakeUp {
  readonly #version: () => number;
  readonly #waiting = new WakeSet();
  #timer: ReturnType<typeof setInterval> | undefined;
  #seen = 0;

  /** @param version A number that is another one after another process has written. */
  constructor(version: () => number) {
    this.#version = version;
  }

  readonly notify = this.#waiting.notify;

  /** Resolves at the next change, at the latest after `maxMs`, or when the signal aborts. */
  async next(maxMs: number, signal?: AbortSignal): Promise<void> {
    // The last seen state stays: a later change has perhaps been seen by nobody.
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS);
    await this.#waiting.next(maxMs, signal);
    if (!this.#waiting.isEmpty) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    try {
      const version = this.#version();
      if (version === this.#seen) return;
      this.#seen = version;
    } catch {
      // Those who wait find out themselves that the file cannot be read.
    }
    this.notify();
  }
}

/** How long to wait for other processes, in milliseconds. */
const PATIENCE_MS = 60_000;
/** Most milliseconds between two tries. */
const MAX_PAUSE_MS = 20;
/** SQLite's result codes. */
const [BUSY, LOCKED] = [5, 6];

interface Queued {
  readonly work: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The file. A transaction is on disk when its promise resolves; those that are asked for while another one is written share
 * one commit.
 */
class Ledger {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #file: string;
  readonly #identity: string;
  #queue: Queued[] = [];
  #writing: Promise<void> | undefined;
  /** Is called after each commit of this process. */
  onCommit: () => void = () => {};

  private constructor(file: string, database: DatabaseSync) {
    this.#file = file;
    this.#database = database;
    this.#identity = identify(file);
  }

  /** Opens the file, and creates missing tables. */
  static async open(file: string): Promise<Ledger> {
    const database = connect(file);
    try {
      // A commit is on disk when it is acknowledged. The transaction makes the log, if it is not there.
      await patiently(() =>
        database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN IMMEDIATE; COMMIT"),
      );
      const ledger = new Ledger(file, database);
      await ledger.transact(() => {
        const version = Number(ledger.one("PRAGMA user_version")?.["user_version"]);
        if (version > VERSION) {
          throw new DurableError(
            `Cannot open the calls: they have shape ${version}, known are shapes up to ${VERSION}`,
          );
        }
        if (version === 0) database.exec(SCHEMA);
        if (version === 1) writeColumns(database);
        if (version < VERSION) database.exec(`PRAGMA user_version = ${VERSION}`);
      });
      return ledger;
    } catch (error) {
      database.close();
      throw unusable(error);
    }
  }

  all(sql: string, ...values: readonly Value[]): readonly Row[] {
    return this.#prepare(sql).all(...values);
  }

  one(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#prepare(sql).get(...values);
  }

  /** Runs a statement and answers how many rows it changed. For use inside of `transact`. */
  change(sql: string, ...values: readonly Value[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** Sends one statement: of a reader, or in a transaction of its own. */
  readonly send: Send = (sql, ...values) => {
    const rows = (): readonly Row[] => this.all(sql, ...values);
    return sql.startsWith("SELECT") ? this.read(rows) : this.transact(rows);
  };

  /** Reads, waiting for other processes where it must. */
  async read<Result>(work: () => Result): Promise<Result> {
    return patiently(work).catch((error: unknown) => Promise.reject(unusable(error)));
  }

  /** Runs `work`, which only uses this ledger and may be called again, in a transaction. */
  transact<Result>(work: () => Result): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ work, resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  /** A number that is another one after any other process has committed. */
  get dataVersion(): number {
    return Number(this.one("PRAGMA data_version")?.["data_version"]);
  }

  /** Writes the queued records and closes the file. */
  async close(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    this.#statements.clear();
    this.#database.close();
  }

  async #write(): Promise<void> {
    await new Promise(setImmediate);
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      try {
        const results = await patiently(() => this.#commit(batch));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as never);
        this.onCommit();
      } catch (error) {
        for (const { reject } of batch) reject(unusable(error));
      }
    }
    this.#writing = undefined;
  }

  #commit(batch: readonly Queued[]): readonly unknown[] {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const results = batch.map(({ work }) => work());
      // Records in a file without a name would be lost with this process.
      if (identify(this.#file) !== this.#identity)
        throw new Error("the file or its log was deleted, moved or replaced while it was open");
      this.#database.exec("COMMIT");
      return results;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }
}

function connect(file: string): DatabaseSync {
  const { DatabaseSync: Database } = loadSqlite();
  try {
    return new Database(file, { timeout: 0 });
  } catch (error) {
    throw unusable(error);
  }
}

function unusable(error: unknown): DurableError {
  if (error instanceof DurableError) return error;
  return new DurableError(`Cannot use the file of the calls: ${(error as Error).message}`, { cause: error });
}

/**
 * The identity of a file and its log, which holds the latest commits and is there as long as somebody has the file open.
 * While they are open no other files get the same.
 */
function identify(file: string): string {
  const found = [file, `${file}-wal`].map((one) => statSync(one, { bigint: true, throwIfNoEntry: false }));
  return found.map((one) => `${one?.dev} ${one?.ino}`).join();
}

/** Tries again while another process has the file locked. SQLite's own way of waiting would stop the event loop. */
async function patiently<Result>(work: () => Result): Promise<Result> {
  const started = performance.now();
  for (;;) {
    try {
      return work();
    } catch (error) {
      const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
      const waited = performance.now() - started;
      if ((code !== BUSY && code !== LOCKED) || waited > PATIENCE_MS) throw error;
      const pause = Math.min(1 + waited / 50, MAX_PAUSE_MS) * 2 * Math.random();
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/**
 * SQLite as Node has it, from 22.13 on. Not imported: the module is not there in older versions and other runtimes, where
 * this file may be part of a bundle.
 *
 * @throws {DurableError} Where there is none.
 */
function loadSqlite(): typeof Sqlite {
  const builtin = globalThis.process?.getBuiltinModule?.("node:sqlite");
  if (builtin === undefined) {
    const found = globalThis.process?.version ?? "a runtime without Node's modules";
    throw new DurableError(`Cannot keep calls in a file: found ${found}, allowed is Node 22.13 or later`);
  }
  return builtin;
}

import { statSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { DurableError } from "../durable-error.ts";
import { loadSqlite } from "./load-sqlite.ts";
import { SCHEMA, VERSION } from "./schema.ts";
import { writeColumns } from "./write-columns.ts";

/** A value of a parameter or a column. */
export type Value = string | number | null;
/** A row. */
export type Row = Readonly<Record<string, Value>>;

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
export class Ledger {
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
      throw error instanceof DurableError ? error : unusable(error);
    }
  }

  /** The rows of a statement. */
  all(sql: string, ...values: readonly Value[]): readonly Row[] {
    return this.#prepare(sql).all(...values) as readonly Row[];
  }

  /** The first row of a statement. */
  one(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  /** Runs a statement and answers how many rows it changed. For use inside of `transact`. */
  change(sql: string, ...values: readonly Value[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

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

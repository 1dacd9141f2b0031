import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { writeIn, type WriteWork } from "../change/write-block.ts";
import type { CandidateSearch } from "../database/candidate.ts";
import type { Changes, Query } from "../database/database.ts";
import { BUSY, isBusy, isRead, Connection, type Value } from "./connection.ts";
import { breakSeal, seal } from "./file-seal.ts";
import { findBlocks, findBlocksByWords } from "./find-blocks.ts";
import { checkWords, IndexedWords } from "./indexed-words.ts";
import { damaged, SUM_FUNCTIONS } from "./row-sums.ts";
import { FIRST_SCHEMA, migrations, REBUILD_WORDS } from "./schema.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { VectorCache } from "./vector-cache.ts";

/** How long to wait for other processes. */
const PATIENCE_MS = 60_000;
/** Between tries: a 50th of the wait so far, from the first to the second, more or less. */
const PAUSE_MS = [1, 20] as const;

/** Where the database is. */
export interface Location {
  /** The file; `undefined` keeps everything in memory. */
  readonly file: string | undefined;
  /** Nothing can be changed: the file system is read-only. */
  readonly isReadOnly: boolean;
}

/** A step of a transaction. */
export type Step =
  /** Begins a transaction or, in one, the next unit of work: the work so far stays. */
  | { readonly op: "begin" }
  | { readonly op: "run"; readonly text: string; readonly params: readonly Value[] }
  | { readonly op: "change"; readonly changes: Changes }
  | { readonly op: "write"; readonly work: object }
  /** Reverses the latest unit of work. The answer is whether the transaction is still open. */
  | { readonly op: "undo" }
  | { readonly op: "commit" };

/** A request to the thread. */
export type Request =
  /** Opens the database and brings it to the newest schema. */
  | { readonly op: "open" }
  /** Reads, outside of any transaction. */
  | { readonly op: "query"; readonly text: string; readonly params: readonly Value[] }
  | { readonly op: "search" | "search_words"; readonly owner: string; readonly search: CandidateSearch }
  /** Steps of a transaction, until one fails. The answer is a list of theirs. */
  | { readonly op: "steps"; readonly steps: readonly Step[] }
  | { readonly op: "reclaim" }
  | { readonly op: "check" }
  | { readonly op: "check_search" }
  | { readonly op: "backup"; readonly file: string }
  | { readonly op: "close" };

/** The answer to a request. */
export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: number | string | undefined } };

/** A database with its connections. Runs in a thread; a request may begin while an earlier one waits for other processes. */
export class SqliteEngine {
  readonly #location: Location;
  readonly #cache = { vectors: new VectorCache(), words: new IndexedWords() };
  #writer: Connection | undefined;
  #reader: Connection | undefined;
  #file: OpenFile | undefined;
  #isInTransaction = false;
  /** Whether the open transaction holds an earlier unit of work, which a savepoint keeps. */
  #hasSavepoint = false;
  /** Whether the open transaction may have changed something. */
  #mayHaveChanged = false;

  constructor(location: Location) {
    this.#location = location;
  }

  async answer(request: Request): Promise<unknown> {
    if (request.op === "open") return this.#open();
    const writer = this.#writer;
    if (writer === undefined) throw new Error("the database is not open");
    switch (request.op) {
      case "query":
        return this.#read(writer, (reader) => reader.all(request.text, request.params));
      case "search":
        return this.#read(writer, (reader) => findBlocks(reader, this.#cache, request.owner, request.search));
      case "search_words":
        return this.#read(writer, (reader) => findBlocksByWords(reader, this.#cache, request.owner, request.search));
      case "steps":
        return this.#runSteps(writer, request.steps);
      case "reclaim":
        return this.#reclaim(writer);
      case "check_search":
        return this.#read(writer, checkWords);
      case "check":
        return this.#read(writer, check);
      case "backup":
        return this.#backup(writer, request.file);
      case "close":
        this.#reader?.close();
        return this.#close(writer);
    }
  }

  async #open(): Promise<void> {
    const { file, isReadOnly } = this.#location;
    const isWhole = file === undefined || (await this.#patiently(() => orDamaged(() => breakSeal(file, isReadOnly))));
    const writer = await this.#patiently(() => orDamaged(() => connect(this.#location)));
    this.#writer = writer;
    const found = isWhole ? undefined : check(writer);
    if (found !== undefined) throw damaged(found);
    await this.#migrate(writer);
    const other = isWhole ? undefined : checkWords(writer);
    if (other !== undefined) throw damaged(other);
    if (file !== undefined && !isReadOnly) this.#file = new OpenFile(file);
  }

  #close(writer: Connection): void {
    const { file } = this.#location;
    const isThere = file !== undefined && this.#file?.isReplaced() === false;
    writer.close();
    if (isThere) seal(file);
  }

  async #migrate(writer: Connection): Promise<void> {
    if (versionOf(writer) === SCHEMA) return;
    await this.#write(writer, () => {
      const next = Math.max(versionOf(writer) + 1 - FIRST_SCHEMA, 0);
      for (const statement of migrations.slice(next).flat()) writer.run(statement);
      writer.run(`PRAGMA dispatch_memory.user_version = ${SCHEMA}`);
    });
  }

  async #runSteps(writer: Connection, steps: readonly Step[]): Promise<readonly unknown[]> {
    const answers: unknown[] = [];
    for (const step of steps)
      answers.push(step.op === "begin" ? await this.#begin(writer) : await this.#runStep(writer, step));
    return answers;
  }

  #runStep(writer: Connection, step: Exclude<Step, { readonly op: "begin" }>): unknown {
    if (step.op === "undo") return this.#undo(writer);
    if (!this.#isInTransaction) throw new Error("there is no transaction");
    switch (step.op) {
      case "write":
        this.#mayHaveChanged = true;
        return writeIn(toQuery(writer), step.work as WriteWork);
      case "run":
        this.#mayHaveChanged ||= !isRead(step.text);
        return writer.all(step.text, step.params);
      case "change":
        this.#mayHaveChanged = true;
        for (const { text } of step.changes.parts) writer.all(text, step.changes.params);
        return undefined;
      case "commit":
        return this.#commit(writer);
    }
  }

  async #begin(writer: Connection): Promise<void> {
    if (this.#isInTransaction) {
      this.#isInTransaction = false;
      orRollBack(writer, () => {
        if (this.#hasSavepoint) writer.all("RELEASE unit");
        writer.all("SAVEPOINT unit");
      });
      this.#hasSavepoint = true;
      this.#isInTransaction = true;
      return;
    }
    await this.#patiently(() => writer.all(this.#location.isReadOnly ? "BEGIN" : "BEGIN IMMEDIATE"));
    // Another process may have brought the data to a newer schema.
    orRollBack(writer, () => versionOf(writer));
    // The first unit needs no savepoint, which would copy each page that it changes: without it there is nothing to keep.
    this.#hasSavepoint = false;
    this.#mayHaveChanged = false;
    this.#isInTransaction = true;
  }

  /** A transaction that is no other's unit of work. */
  async #write(writer: Connection, work: () => void): Promise<void> {
    await this.#patiently(() => writer.run("BEGIN IMMEDIATE"));
    orRollBack(writer, () => {
      work();
      this.#file?.check();
      writer.run("COMMIT");
    });
  }

  /** Whether the transaction is still open afterwards. */
  #undo(writer: Connection): boolean {
    if (!this.#isInTransaction) return false;
    try {
      if (!this.#hasSavepoint) throw new Error("there is no earlier unit of work");
      writer.all("ROLLBACK TO unit");
    } catch {
      rollBack(writer);
      this.#isInTransaction = false;
    }
    return this.#isInTransaction;
  }

  #commit(writer: Connection): void {
    this.#isInTransaction = false;
    orRollBack(writer, () => {
      // A transaction that changed nothing may commit: a memory that lost its file can still be exported.
      if (this.#mayHaveChanged) this.#file?.check();
      writer.all("COMMIT");
    });
  }

  /**
   * Reads, all statements the same rows. Between transactions the writer reads, which still has in memory the pages that it wrote;
   * during one another connection does, which sees none of its changes.
   */
  #read<Result>(writer: Connection, work: (reader: Connection) => Result): Promise<Result> {
    return this.#patiently(() => {
      const reader = this.#toReader(writer);
      // Without a file there is one connection, and no reads during a transaction.
      if (reader === writer && this.#isInTransaction) return work(reader);
      reader.run("BEGIN");
      try {
        return work(reader);
      } finally {
        reader.run("COMMIT");
      }
    });
  }

  #toReader(writer: Connection): Connection {
    if (!this.#isInTransaction || this.#location.file === undefined) return writer;
    this.#reader ??= connect(this.#location);
    return this.#reader;
  }

  /** Rebuilds the index of words, rewrites the file, and empties the write-ahead log. */
  async #reclaim(writer: Connection): Promise<void> {
    this.#cache.vectors.clear();
    this.#cache.words.clear();
    await this.#write(writer, () => writer.run(REBUILD_WORDS));
    await this.#patiently(() => writer.run("VACUUM dispatch_memory"));
    await this.#patiently(() => {
      const [row] = writer.all<{ busy: number }>("PRAGMA dispatch_memory.wal_checkpoint(TRUNCATE)");
      if (row?.busy === 1) throw Object.assign(new Error("other processes are reading"), { errcode: BUSY });
    });
  }

  async #backup(writer: Connection, file: string): Promise<void> {
    const draft = `${file}.${process.pid}.part`;
    rmSync(draft, { force: true });
    try {
      await this.#patiently(() => this.#toReader(writer).all("VACUUM dispatch_memory INTO $1", [draft]));
      const handle = openSync(draft, "r+");
      fsyncSync(handle);
      closeSync(handle);
      renameSync(draft, file);
    } finally {
      rmSync(draft, { force: true });
    }
  }

  /** Tries again while another process has the database locked. SQLite's own way of waiting would hold up other requests. */
  async #patiently<Result>(work: () => Result): Promise<Result> {
    const started = performance.now();
    for (;;) {
      try {
        return work();
      } catch (error) {
        const waited = performance.now() - started;
        if (!isBusy(error) || waited > PATIENCE_MS) throw error;
        const [least, most] = PAUSE_MS;
        await wait(Math.min(Math.max(waited / 50, least), most) * 2 * Math.random());
      }
    }
  }
}

/** Runs statements at once. Work that awaits nothing else is done before another request begins. */
function toQuery(connection: Connection): Query {
  return {
    dialect: sqliteDialect,
    query: async <Row>(text: string, params: readonly Value[] = []) => connection.all<Row>(text, params),
    change: async ({ parts, params }) => {
      for (const { text } of parts) connection.all(text, params);
    },
  };
}

/** SQLite's own check. Describes the first damage. */
function check(reader: Connection): string | undefined {
  try {
    // FTS5 checks the parts of its index that it knew at the last search, and calls those damaged that are merged since.
    reader.all("SELECT rowid FROM dispatch_memory.word WHERE word MATCH 'none' LIMIT 1");
  } catch {
    // The check finds the damage, too.
  }
  const [found] = reader.all<{ integrity_check: string }>("PRAGMA dispatch_memory.integrity_check(1)");
  return found?.integrity_check === "ok" ? undefined : found?.integrity_check;
}

/** Ends the transaction if `work` fails. */
function orRollBack(connection: Connection, work: () => void): void {
  try {
    work();
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

function rollBack(connection: Connection): void {
  try {
    connection.run("ROLLBACK");
  } catch {
    // It has ended already, as after the disk was full.
  }
}

/** The version of the newest schema. */
const SCHEMA = FIRST_SCHEMA - 1 + migrations.length;

/** The version of the schema, 0 for none. Throws when it is newer than this package, or of before the first release. */
function versionOf(connection: Connection): number {
  const [row] = connection.all<{ user_version: number }>("PRAGMA dispatch_memory.user_version");
  const version = row?.user_version ?? 0;
  if (version === 0 || (version >= FIRST_SCHEMA && version <= SCHEMA)) return version;
  const advice =
    version > SCHEMA
      ? "use a newer version of the package"
      : "export it with the version that wrote it (dispatch-memory export FILE), then import it into a new directory (dispatch-memory import FILE --restore)";
  throw Object.assign(
    new Error(`its data has shape ${version}, known are shapes ${FIRST_SCHEMA} to ${SCHEMA}; ${advice}`),
    { code: "other_version" },
  );
}

/** SQLite's result code for a statement that cannot be run, and for a file of a format or text encoding it does not take. */
const SQLITE_ERROR = 1;

/** The statements that open a file are right, so what SQLite refuses then is the file. */
function orDamaged<Opened>(work: () => Opened): Opened {
  try {
    return work();
  } catch (error) {
    const { errcode, message } = error as Error & { readonly errcode?: number };
    throw errcode === SQLITE_ERROR ? damaged(message) : error;
  }
}

/** A database file that this process has open, and its write-ahead log. */
class OpenFile {
  readonly #parts: readonly { readonly path: string; readonly identity: string }[];

  /** @param file the path of the open database. */
  constructor(file: string) {
    const path = resolve(file);
    this.#parts = [path, `${path}-wal`].map((part) => ({ path: part, identity: identify(part) }));
  }

  /** Whether the paths do not name the open files any more. */
  isReplaced(): boolean {
    return this.#parts.some(({ path, identity }) => identify(path) !== identity);
  }

  /** Throws when the file was replaced. Writes to it would be lost. */
  check(): void {
    if (!this.isReplaced()) return;
    throw Object.assign(new Error("the file of the memory was deleted, moved or replaced while it was open"), {
      code: "replaced",
    });
  }
}

/** A file's identity, empty when there is none. While it is open no other file gets the same. */
function identify(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : `${found.dev} ${found.ino}`;
}

const SETTINGS = [
  // A commit is on disk when it is acknowledged.
  "PRAGMA dispatch_memory.synchronous = FULL",
  "PRAGMA foreign_keys = ON",
  // Deleted content is overwritten, and never written to a temporary file.
  "PRAGMA dispatch_memory.secure_delete = ON",
  "PRAGMA temp_store = MEMORY",
];

/** Connects to a database, and creates its file when there is none. */
function connect({ file, isReadOnly }: Location): Connection {
  const database = new DatabaseSync(":memory:", { timeout: 0 });
  // SQLite's own functions know upper and lower case of English letters only.
  database.function("contains", { deterministic: true }, (text, part) =>
    Number(typeof part === "string" && String(text).toLowerCase().includes(part.toLowerCase())),
  );
  for (const [name, work] of Object.entries(SUM_FUNCTIONS))
    database.function(name, { deterministic: true, varargs: true }, work as (...values: readonly unknown[]) => number);
  const connection = new Connection(database);
  try {
    connection.all("ATTACH $1 AS dispatch_memory", [toName(file, isReadOnly)]);
    if (file !== undefined && !isReadOnly) connection.all("PRAGMA dispatch_memory.journal_mode = WAL");
    for (const setting of SETTINGS) connection.run(setting);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function toName(file: string | undefined, isReadOnly: boolean): string {
  if (file === undefined) return ":memory:";
  const url = pathToFileURL(file);
  // Without a log there is nothing that the file does not hold, and SQLite could not make one.
  if (isReadOnly) url.search = existsSync(`${file}-wal`) ? "?mode=ro" : "?immutable=1";
  return url.href;
}

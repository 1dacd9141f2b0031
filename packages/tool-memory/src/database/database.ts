import type { MemoryBlock, MemoryHit } from "../block/memory-block.ts";
import type { CandidateSearch, UnitVector } from "./candidate.ts";

/** Runs statements. */
export interface SqlQuery {
  /**
   * Runs one statement, its values given apart as `$1`, `$2`, … It must be one that can run in a transaction.
   *
   * @returns the rows, an object each, as JSON could carry them: integers as numbers, moments as PostgreSQL writes them.
   * Rejects when the database refuses the statement.
   */
  query<Row>(text: string, params?: readonly (string | number | null)[]): Promise<readonly Row[]>;
}

/** Statements of a transaction of a driver that sends without waiting. */
export interface PipelinedQuery extends SqlQuery {
  /** Sends a statement whose rows nobody needs. If it fails, the next `query` rejects with its error, or else the transaction. */
  send(text: string, params: readonly (string | number | null)[]): void;
}

/**
 * A PostgreSQL database, version 15 or newer: the port that a driver implements. No statement leaves anything behind in the
 * database session, so connections may be pooled.
 */
export interface Sql extends SqlQuery {
  /**
   * Runs `work` in one transaction at READ COMMITTED or stricter: committed when it resolves, rolled back when it rejects.
   * `work` may be run again, in another transaction, when it is certain that the first one was not committed.
   */
  transaction<Result>(work: (query: SqlQuery) => Promise<Result>): Promise<Result>;
  /** Lets go of everything. */
  close(): Promise<void>;
}

/** The pieces of SQL that PostgreSQL and SQLite write differently. All other statements are common to both. */
export interface Dialect {
  /** An expression for a time column as ISO 8601 in UTC with milliseconds. */
  readonly iso: (column: string) => string;
  /** An expression for the database's present time, or for `$n` seconds later, of the type of the time columns. */
  readonly time: (seconds?: string) => string;
  /** The end of a `SELECT` that locks the rows of one of its tables until the transaction ends; `skip`: not those that others lock. */
  readonly lock: (table: string, others?: "skip") => string;
  /** Whether a transaction sees the rows as they are, not as they were before it waited for a lock. */
  readonly seesLatest: boolean;
  /** A subquery with the values of `$n`, a JSON array. */
  readonly list: (placeholder: string, type: "text" | "bigint") => string;
  /** A condition: one of the columns contains `$n`, in any case. False when `$n` is null. */
  readonly contains: (columns: string, placeholder: string) => string;
  /** A text column, checked against its row's checksum where the database keeps none of its own. */
  readonly intact: (table: "block" | "mutation", column: string, alias?: string) => string;
  /** A column that orders rows of the same time, by their insertion where the database keeps it. */
  readonly order: (table: string) => string;
  /** Adds to a statement: the rewriting of a block's passages. */
  readonly writePassages: (statement: ChangeStatement, change: PassageChange) => void;
}

/** One statement made of several changes. Two changes must not touch the same row. */
export interface ChangeStatement {
  /** Adds a parameter and returns its placeholder, such as `$3`. */
  value(value: string | number | null): string;
  /** Adds a change. Its name is unique in the statement. */
  add(name: string, text: string): void;
}

/** Changes with common parameters. */
export interface Changes {
  /** The changes, at least one, in an order in which they can run one after the other. */
  readonly parts: readonly { readonly name: string; readonly text: string }[];
  /** The values of `$1`, `$2`, … */
  readonly params: readonly (string | number | null)[];
}

/** Runs statements of one dialect. */
export interface Query extends SqlQuery {
  readonly dialect: Dialect;
  /**
   * Runs several changes, all or none. In a transaction a database may run them with the next statement or the commit: if they
   * fail, that one rejects, and so does the transaction.
   */
  change(changes: Changes): Promise<void>;
}

/** The storage of vectors. */
export interface VectorStore {
  /** Stores vectors of passages that still exist and have none in this space. */
  insert(
    tx: Query,
    owner: string,
    space: { readonly id: number; readonly dimensions: number },
    vectors: readonly { readonly id: number; readonly vector: UnitVector }[],
  ): Promise<void>;
  /** Maintains the storage after many insertions. */
  tidy(owner: string, space: { readonly id: number; readonly dimensions: number }): Promise<void>;
}

/** The database of a memory: of a directory or of a server. */
export interface Database extends Query {
  /** Whether nothing can be changed: the file system is read-only. */
  readonly isReadOnly: boolean;
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. */
  transaction<Result>(work: (tx: Query) => Promise<Result>): Promise<Result>;
  /** Does `writeIn` in one transaction, in the thread that has the database open, by one message. Absent where there is no thread. */
  readonly perform?: ((work: object) => Promise<unknown>) | undefined;
  /** Prepares the storage of vectors. `undefined`: the database cannot store them. */
  openVectors(): Promise<VectorStore | undefined>;
  /** The best blocks of a search, best first. */
  search(owner: string, search: CandidateSearch): Promise<readonly MemoryHit[]>;
  /** Blocks that share rare words with the query; a database may rank them like `search`. Costs less. */
  searchWords(owner: string, search: CandidateSearch): Promise<readonly Omit<MemoryBlock, "supersedes">[]>;
  /** Overwrites remains of deleted and replaced rows in storage, where the database does not do so by itself. */
  reclaim(): Promise<void>;
  /** Checks the storage itself. Describes the first damage; `undefined` when there is none. */
  check(): Promise<string | undefined>;
  /** Compares the index that searches read with the texts it was made from. Describes the first difference; `undefined` when there is none. */
  checkSearch(): Promise<string | undefined>;
  /** Copies the whole database, all owners, to a new directory, while it is used. */
  backup(directory: string): Promise<void>;
  close(): Promise<void>;
}

/** The rewriting of a block's passages, from the first changed one on. */
export interface PassageChange {
  readonly owner: string;
  readonly blockId: string;
  /** The label of the block. Each passage is also found by its words. */
  readonly label: string;
  /** The sequence of the block, `null` for none. */
  readonly series: string | null;
  /** Whether the block had passages before. */
  readonly isRewritten: boolean;
  /** Whether the block keeps its place in its sequence. */
  readonly keepsPlace: boolean;
  readonly from: number;
  readonly pieces: readonly {
    readonly ordinal: number;
    readonly start: number;
    readonly end: number;
    readonly body: string;
  }[];
}

/** The same database, each of whose operations but `close` runs inside of `around`. */
export function aroundEach(
  database: Database,
  around: <Result>(work: () => Promise<Result>, name: string) => Promise<Result>,
): Database {
  const operations = Object.entries(database).map(([name, operation]: [string, unknown]) => {
    if (typeof operation !== "function" || name === "close") return [name, operation];
    return [name, (...args: readonly unknown[]) => around(() => operation(...args) as Promise<unknown>, name)];
  });
  return Object.fromEntries(operations) as Database;
}

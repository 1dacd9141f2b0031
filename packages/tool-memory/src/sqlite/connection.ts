import type { DatabaseSync, StatementSync } from "node:sqlite";

/** A value of a parameter. */
export type Value = string | number | null;

interface Prepared {
  readonly statement: StatementSync;
  /** For each of its placeholders, in their order: which parameter it stands for, from 0. */
  readonly places: readonly number[];
}

/** A placeholder: `$1`. */
const PLACEHOLDER = /\$(\d+)/gu;

/** Maximum number of prepared statements that are kept. */
const MAX_STATEMENTS = 500;

/** A connection to a database. Prepares each statement once. */
export class Connection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Runs a statement with the values of `$1`, `$2`, … and returns its rows. It need not use all of them. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what it asks for
  all<Row>(text: string, params: readonly Value[] = []): readonly Row[] {
    return this.#run(text, params, false) as readonly Row[];
  }

  /** As `all`, for many rows: each is a list of its columns, which takes half the time. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what it asks for
  list<Row extends readonly unknown[]>(text: string, params: readonly Value[] = []): readonly Row[] {
    return this.#run(text, params, true) as readonly Row[];
  }

  /** Gives each row of a statement without parameters, as a list of its columns, without keeping them all. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what it asks for
  each<Row extends readonly unknown[]>(text: string, use: (row: Row) => void): void {
    const { statement } = this.#prepare(text);
    statement.setReturnArrays(true);
    for (const row of statement.iterate()) use(row as unknown as Row);
  }

  /** Runs statements without parameters. */
  run(text: string): void {
    this.#database.exec(text);
  }

  /** Closes the connection. */
  close(): void {
    this.#prepared.clear();
    this.#database.close();
  }

  #run(text: string, params: readonly Value[], asLists: boolean): readonly unknown[] {
    const { statement, places } = this.#prepare(text);
    statement.setReturnArrays(asLists);
    return statement.all(...places.map((place) => params[place] ?? null));
  }

  #prepare(text: string): Prepared {
    const known = this.#prepared.get(text);
    if (known !== undefined) return known;
    if (this.#prepared.size >= MAX_STATEMENTS) this.#prepared.clear();
    // Placeholders without numbers: Node 22.16 does not bind numbered ones by their place, and binding by name takes three times as long.
    const places = Array.from(text.matchAll(PLACEHOLDER), ([, number]) => Number(number) - 1);
    const prepared = { statement: this.#toStatement(text.replaceAll(PLACEHOLDER, "?")), places };
    this.#prepared.set(text, prepared);
    return prepared;
  }

  #toStatement(text: string): StatementSync {
    try {
      return this.#database.prepare(text);
    } catch (error) {
      // The package's own statements fit its schema, unless that is damaged.
      const isLost =
        text.includes("dispatch_memory.") &&
        /^(?:no such (?:table|column)|invalid fts5 file format|vtable constructor failed)\b/u.test(
          (error as Error).message,
        );
      throw isLost ? Object.assign(new Error((error as Error).message), { code: "damaged" }) : error;
    }
  }
}

/** Whether a statement only reads. */
export function isRead(text: string): boolean {
  return /^\s*SELECT\b/i.test(text);
}

/** SQLite's result code for a database that another process has locked. */
export const BUSY = 5;
const LOCKED = 6;

/** Whether an error of SQLite says that the database is locked for now. */
export function isBusy(error: unknown): boolean {
  const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
  return code === BUSY || code === LOCKED;
}

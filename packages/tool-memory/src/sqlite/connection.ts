import type { DatabaseSync, StatementSync } from "node:sqlite";

/** A value of a parameter. */
export type Value = string | number | null;

interface Prepared {
  readonly statement: StatementSync;
  /** The number of its highest placeholder. */
  readonly values: number;
}

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
    const { statement, values } = this.#prepare(text);
    statement.setReturnArrays(asLists);
    return statement.all(...Array.from({ length: values }, (_, at) => params[at] ?? null));
  }

  #prepare(text: string): Prepared {
    const known = this.#prepared.get(text);
    if (known !== undefined) return known;
    if (this.#prepared.size >= MAX_STATEMENTS) this.#prepared.clear();
    const values = Math.max(0, ...(text.match(/(?<=\$)\d+/gu) ?? []).map(Number));
    // To SQLite `$1` is a name, `?1` a number.
    const prepared = { statement: this.#database.prepare(text.replaceAll(/\$(\d+)/gu, "?$1")), values };
    this.#prepared.set(text, prepared);
    return prepared;
  }
}

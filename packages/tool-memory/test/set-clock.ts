import type { Changes, Database, Query } from "../src/database/database.ts";

/** A database whose clock can be set apart from the machine's. */
export interface Clocked {
  /** The database. */
  readonly database: Database;
  /** Sets how many days its clock is ahead. */
  readonly setAhead: (days: number) => void;
}

/** Rewrites how the statements of both dialects ask for the time. Searches and the host keep the machine's clock. */
export function withClock(database: Database): Clocked {
  let ahead = 0;
  const shift = (text: string): string =>
    text
      .replaceAll("'now'", `'now', '${ahead} days'`)
      .replaceAll("clock_timestamp()", `(clock_timestamp() + make_interval(days => ${ahead}))`);
  const shiftAll = ({ parts, params }: Changes): Changes => ({
    parts: parts.map(({ name, text }) => ({ name, text: shift(text) })),
    params,
  });
  const shifted = (tx: Query): Query => ({
    dialect: tx.dialect,
    query: (text, params) => tx.query(shift(text), params),
    change: (changes) => tx.change(shiftAll(changes)),
  });
  return {
    database: {
      ...database,
      ...shifted(database),
      perform: undefined,
      transaction: (work) => database.transaction((tx) => work(shifted(tx))),
    },
    setAhead: (days) => (ahead = days),
  };
}

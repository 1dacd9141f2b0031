import type { DatabaseSync } from "node:sqlite";
import { toColumn } from "./columns.ts";

/** The shape of the file: raised with every change of it. Shape 1 has the same tables and the texts of the host as they are. */
export const VERSION = 2;

/**
 * `fence` grows with every process that takes a step, so that the result of one that lost it changes nothing. `late` keeps
 * such a result for a person. Keys, kinds and turns are written by
 * `toColumn`, sessions and ids of calls by `toIndexed`.
 */
export const SCHEMA = `
CREATE TABLE worker (id TEXT PRIMARY KEY, since INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE step (
  key TEXT PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('submitted', 'running', 'broken', 'done')),
  worker TEXT,
  fence INTEGER NOT NULL,
  since INTEGER NOT NULL,
  intent TEXT NOT NULL,
  result TEXT,
  late TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX open_step ON step (worker, since) WHERE result IS NULL;
CREATE TABLE wait (
  key TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  question TEXT NOT NULL,
  since INTEGER NOT NULL,
  expires_at INTEGER,
  answer TEXT,
  lapsed INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX open_wait ON wait (since) WHERE answer IS NULL AND lapsed = 0;
CREATE TABLE entry (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL,
  digest TEXT NOT NULL,
  call_id TEXT NOT NULL,
  turn TEXT,
  entry TEXT NOT NULL,
  UNIQUE (session, digest)
) STRICT;
CREATE INDEX entry_of_call ON entry (session, call_id)`;

/** The columns with a text that the host chose. */
const COLUMNS = [
  ["step", "key"],
  ["wait", "key"],
  ["wait", "kind"],
  ["entry", "session"],
  ["entry", "call_id"],
  ["entry", "turn"],
] as const;

/** Writes the texts of a file of shape 1, which had them as they are, as `toColumn` does. For use inside of a transaction. */
export function writeColumns(database: DatabaseSync): void {
  for (const [table, column] of COLUMNS) {
    // The longest first: what a text becomes may be another text of the file, which then is longer and has changed already.
    const found = database.prepare(
      `SELECT DISTINCT ${column} AS text FROM ${table} WHERE ${column} LIKE '"%' OR instr(${column}, char(0)) > 0
      ORDER BY ${column} LIKE '"%' DESC, length(${column}) DESC`,
    );
    const write = database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`);
    for (const { text } of found.all()) write.run(toColumn(String(text)), String(text));
  }
}

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

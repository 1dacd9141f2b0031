import type { PostgresPool } from "./postgres-client.ts";

/** Serialises the creation of the tables by several processes. */
const LOCK = 5_318_008_731;

/** Questions and transcripts, beside DBOS's own tables. */
const TABLES = `
CREATE SCHEMA IF NOT EXISTS dispatch;
CREATE TABLE IF NOT EXISTS dispatch.wait (
  key TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  question TEXT NOT NULL,
  since BIGINT NOT NULL,
  expires_at BIGINT,
  answer TEXT,
  answer_id TEXT,
  lapsed BOOLEAN NOT NULL DEFAULT false
);
ALTER TABLE dispatch.wait ADD COLUMN IF NOT EXISTS answer_id TEXT;
CREATE INDEX IF NOT EXISTS open_wait ON dispatch.wait (since) WHERE answer IS NULL AND NOT lapsed;
CREATE TABLE IF NOT EXISTS dispatch.entry (
  number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session TEXT NOT NULL,
  digest TEXT NOT NULL,
  call_id TEXT NOT NULL,
  turn TEXT,
  entry TEXT NOT NULL,
  UNIQUE (session, digest)
);
CREATE INDEX IF NOT EXISTS entry_of_call ON dispatch.entry (session, call_id)`;

/** Creates missing tables. */
export async function createTables(pool: PostgresPool): Promise<void> {
  await pool.query(`BEGIN; SELECT pg_advisory_xact_lock(${LOCK}); ${TABLES}; COMMIT`);
}

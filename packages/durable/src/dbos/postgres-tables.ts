import { setTimeout as pause } from "node:timers/promises";
import type { PatientPool } from "./patient-pool.ts";
import { whileUnreachable } from "./while-unreachable.ts";

/** The lock of the process that starts. */
const LOCK = 5_318_008_731;
/** Longest wait for it, in milliseconds: for as many processes as start together. */
const MAX_WAIT_MS = 120_000;
/** Between two tries to take it, in milliseconds. */
const LOOK_MS = 50;

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

/**
 * Starts one process at a time on a database, and creates the missing tables: DBOS's migrations fail when two processes
 * make them together.
 */
export async function startAlone(pool: PatientPool, start: () => Promise<void>): Promise<void> {
  const until = performance.now() + MAX_WAIT_MS;
  const client = await whileUnreachable(async () => {
    const connected = await pool.connect();
    try {
      // Not one statement that waits: DBOS's migrations in turn wait for the end of every statement.
      for (;;) {
        const { rows } = await connected.query<{ held: boolean }>(`SELECT pg_try_advisory_lock(${LOCK}) AS held`);
        if (rows[0]?.held === true) return connected;
        if (performance.now() > until) throw new Error(`another process has been starting for ${MAX_WAIT_MS} ms`);
        await pause(LOOK_MS * (0.5 + Math.random()));
      }
    } catch (error) {
      connected.release(true);
      throw error;
    }
  });
  try {
    await start();
    await whileUnreachable(() => pool.query(TABLES));
  } finally {
    // The server frees the lock with the connection.
    client.release(true);
  }
}

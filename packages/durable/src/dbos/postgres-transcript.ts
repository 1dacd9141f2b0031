import type { TranscriptEntry } from "@dispatch/tools-interface";
import { toColumn, toIndexed } from "../column-text.ts";
import type { DurableTranscript } from "../durable-engine.ts";
import { toEntryRow } from "../entry-row.ts";
import type { PostgresPool } from "./postgres-client.ts";

const INSERT =
  "INSERT INTO dispatch.entry (session, digest, call_id, turn, entry) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";

/** The transcript of one session in the database of its calls. */
export class PostgresTranscript implements DurableTranscript {
  readonly #pool: PostgresPool;
  readonly #session: string;
  readonly #unrecorded: () => Promise<readonly TranscriptEntry[]>;

  /** @param unrecorded The entries of calls that have a result, which a killed process may not have recorded here. */
  constructor(pool: PostgresPool, session: string, unrecorded: () => Promise<readonly TranscriptEntry[]>) {
    this.#pool = pool;
    this.#session = session;
    this.#unrecorded = unrecorded;
  }

  async append(entry: TranscriptEntry): Promise<void> {
    await this.#pool.query(INSERT, [...toEntryRow(this.#session, entry)]);
  }

  async find(callId: string, turn?: string): Promise<TranscriptEntry | undefined> {
    const select = `SELECT entry FROM dispatch.entry WHERE session = $1 AND call_id = $2
      ORDER BY (turn IS NOT DISTINCT FROM $3) DESC, number DESC LIMIT 1`;
    const { rows } = await this.#pool.query(select, [
      toIndexed(this.#session),
      toIndexed(callId),
      toColumn(turn ?? ""),
    ]);
    return rows[0] && (JSON.parse(String(rows[0]["entry"])) as TranscriptEntry);
  }

  async entries(): Promise<readonly TranscriptEntry[]> {
    for (const entry of await this.#unrecorded()) await this.append(entry);
    const select = "SELECT entry FROM dispatch.entry WHERE session = $1 ORDER BY number";
    const { rows } = await this.#pool.query(select, [toIndexed(this.#session)]);
    return rows.map(({ entry }) => JSON.parse(String(entry)) as TranscriptEntry);
  }
}

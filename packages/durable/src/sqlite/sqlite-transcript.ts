import type { TranscriptEntry } from "@dispatch/tools-interface";
import { toColumn, toIndexed } from "../column-text.ts";
import type { DurableTranscript } from "../durable-engine.ts";
import { toEntryRow } from "../entry-row.ts";
import type { Ledger } from "./ledger.ts";

/** Records an entry, once. */
export const INSERT_ENTRY =
  "INSERT INTO entry (session, digest, call_id, turn, entry) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";

/** The transcript of one session in the file of its calls. */
export class SqliteTranscript implements DurableTranscript {
  readonly #ledger: Ledger;
  readonly #name: string;
  /** The column of its name. */
  readonly #session: string;

  constructor(ledger: Ledger, session: string) {
    this.#ledger = ledger;
    this.#name = session;
    this.#session = toIndexed(session);
  }

  /** The entry of a call that ran is there already: it was recorded with the call's result. */
  async append(entry: TranscriptEntry): Promise<void> {
    const row = toEntryRow(this.#name, entry);
    const [session, digest] = row;
    const select = "SELECT 1 FROM entry WHERE session = ? AND digest = ?";
    if ((await this.#ledger.read(() => this.#ledger.one(select, session, digest))) !== undefined) return;
    await this.#ledger.transact(() => this.#ledger.change(INSERT_ENTRY, ...row));
  }

  async find(callId: string, turn?: string): Promise<TranscriptEntry | undefined> {
    const select =
      "SELECT entry FROM entry WHERE session = ? AND call_id = ? ORDER BY (turn IS ?) DESC, number DESC LIMIT 1";
    const values = [this.#session, toIndexed(callId), toColumn(turn ?? "")];
    const row = await this.#ledger.read(() => this.#ledger.one(select, ...values));
    return row === undefined ? undefined : (JSON.parse(String(row["entry"])) as TranscriptEntry);
  }

  async entries(): Promise<readonly TranscriptEntry[]> {
    const select = "SELECT entry FROM entry WHERE session = ? ORDER BY number";
    const rows = await this.#ledger.read(() => this.#ledger.all(select, this.#session));
    return rows.map(({ entry }) => JSON.parse(String(entry)) as TranscriptEntry);
  }
}

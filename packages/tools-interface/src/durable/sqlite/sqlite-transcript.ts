import { toPlainEntry, type TranscriptEntry } from "../../transcript/transcript.ts";
import type { DurableTranscript } from "../durable-engine.ts";
import { entryDigest } from "../entry-digest.ts";
import type { Ledger } from "./ledger.ts";

/** The transcript of one session in the file of its calls. */
export class SqliteTranscript implements DurableTranscript {
  readonly #ledger: Ledger;
  readonly #session: string;

  constructor(ledger: Ledger, session: string) {
    this.#ledger = ledger;
    this.#session = session;
  }

  async append(entry: TranscriptEntry): Promise<void> {
    const plain = toPlainEntry(entry);
    const { callId, turn = null } = plain;
    const insert =
      "INSERT INTO entry (session, digest, call_id, turn, entry) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
    const values = [this.#session, entryDigest(plain), callId, turn, JSON.stringify(plain)] as const;
    await this.#ledger.transact(() => this.#ledger.change(insert, ...values));
  }

  async find(callId: string, turn?: string): Promise<TranscriptEntry | undefined> {
    const select =
      "SELECT entry FROM entry WHERE session = ? AND call_id = ? ORDER BY (turn IS ?) DESC, number DESC LIMIT 1";
    const row = await this.#ledger.read(() => this.#ledger.one(select, this.#session, callId, turn ?? ""));
    return row === undefined ? undefined : (JSON.parse(String(row["entry"])) as TranscriptEntry);
  }

  async entries(): Promise<readonly TranscriptEntry[]> {
    const select = "SELECT entry FROM entry WHERE session = ? ORDER BY number";
    const rows = await this.#ledger.read(() => this.#ledger.all(select, this.#session));
    return rows.map(({ entry }) => JSON.parse(String(entry)) as TranscriptEntry);
  }
}

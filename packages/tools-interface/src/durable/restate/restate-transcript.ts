import type { TranscriptEntry } from "../../transcript/transcript.ts";
import { toColumn, toIndexed } from "../column-text.ts";
import type { DurableTranscript } from "../durable-engine.ts";
import { toEntryRow, type EntryRow } from "../entry-row.ts";
import type { RestateClient } from "./restate-client.ts";
import { OBJECTS } from "./restate-messages.ts";

/** The transcript of one session in Restate. */
export class RestateTranscript implements DurableTranscript {
  readonly #client: RestateClient;
  readonly #session: string;

  constructor(client: RestateClient, session: string) {
    this.#client = client;
    this.#session = session;
  }

  async append(entry: TranscriptEntry): Promise<void> {
    await this.#client.call(OBJECTS.transcript, this.#session, "append", toEntryRow(this.#session, entry));
  }

  async find(callId: string, turn?: string): Promise<TranscriptEntry | undefined> {
    const rows = (await this.#rows()).filter((row) => row[2] === toIndexed(callId));
    const row = rows.findLast(([, , , of]) => of === toColumn(turn ?? "")) ?? rows.at(-1);
    return row && (JSON.parse(row[4]) as TranscriptEntry);
  }

  async entries(): Promise<readonly TranscriptEntry[]> {
    return (await this.#rows()).map(([, , , , entry]) => JSON.parse(entry) as TranscriptEntry);
  }

  async #rows(): Promise<readonly EntryRow[]> {
    return (await this.#client.call(OBJECTS.transcript, this.#session, "rows")) as readonly EntryRow[];
  }
}

import type { JsonValue, TranscriptEntry } from "@dispatch/tools-interface";
import { toPlainEntry } from "@dispatch/tools-interface/internal";
import type { Questions, QuestionState } from "./await-answer.ts";
import { fromColumn, toColumn, toIndexed } from "./columns.ts";
import type { DurableTranscript, DurableWait, OpenWait } from "./durable-engine.ts";
import { entryDigest } from "./memory-engine.ts";

/** A value of a parameter. */
export type Value = string | number | null;
/** A row. SQLite has booleans as 0 and 1, PostgreSQL's driver gives large integers as text. */
export type Row = Readonly<Record<string, unknown>>;
/** Sends a statement, whose parameters are written `?1`, `?2`, and answers its rows. */
export type Send = (sql: string, ...values: readonly Value[]) => Promise<readonly Row[]>;

/** A question that can be answered. `?1` is the time. */
export const OPEN = "answer IS NULL AND NOT lapsed AND (expires_at IS NULL OR expires_at > ?1)";

/** Questions and transcripts in the tables `wait` and `entry`, in statements that SQLite and PostgreSQL share. */
export class SqlRecords implements Questions {
  protected readonly send: Send;
  /** Stands before the name of a table. */
  readonly #schema: string;

  constructor(send: Send, schema = "") {
    this.send = send;
    this.#schema = schema;
  }

  async find(key: string): Promise<QuestionState | undefined> {
    const [row] = await this.send(`SELECT * FROM ${this.#schema}wait WHERE key = ?1`, toColumn(key));
    if (row === undefined) return undefined;
    const { answer, lapsed, expires_at: expires } = row;
    const expiresAt = expires === null ? undefined : Number(expires);
    if (typeof answer === "string") return { expiresAt, answered: { lapsed: false, answer: JSON.parse(answer) } };
    return { expiresAt, answered: lapsed === 1 || lapsed === true ? { lapsed: true } : undefined };
  }

  async ask(key: string, { kind, question, expiresAt }: DurableWait): Promise<QuestionState> {
    const insert = `INSERT INTO ${this.#schema}wait (key, kind, question, since, expires_at)
      VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING`;
    const asked = [toColumn(key), toColumn(kind), JSON.stringify(question), Date.now(), expiresAt ?? null];
    await this.send(insert, ...asked);
    return (await this.find(key))!;
  }

  async lapse(key: string): Promise<void> {
    const update = `UPDATE ${this.#schema}wait SET lapsed = true WHERE key = ?1 AND answer IS NULL`;
    await this.send(update, toColumn(key));
  }

  /** Whether this answer is the first. */
  async answer(key: string, answer: JsonValue): Promise<boolean> {
    const update = `UPDATE ${this.#schema}wait SET answer = ?2 WHERE key = ?3 AND ${OPEN} RETURNING key`;
    return (await this.send(update, Date.now(), JSON.stringify(answer), toColumn(key))).length === 1;
  }

  /** Questions without an outcome, oldest first. */
  async open(): Promise<readonly OpenWait[]> {
    const select = `SELECT * FROM ${this.#schema}wait WHERE ${OPEN} ORDER BY since, key`;
    const rows = await this.send(select, Date.now());
    return rows.map(({ key, kind, question, since, expires_at: expires }) => ({
      key: fromColumn(String(key)),
      kind: fromColumn(String(kind)),
      question: JSON.parse(String(question)) as JsonValue,
      since: Number(since),
      ...(expires !== null && { expiresAt: Number(expires) }),
    }));
  }

  transcript(session: string): DurableTranscript {
    const entries = `${this.#schema}entry WHERE session = ?1`;
    const column = toIndexed(session);
    return {
      append: async (entry) => {
        const row = toEntryRow(session, entry);
        // Nothing is written where the entry was recorded with its call's result.
        const known = await this.send(`SELECT 1 FROM ${entries} AND digest = ?2`, row[0], row[1]);
        if (known.length === 0) await this.send(insertEntry(this.#schema), ...row);
      },
      find: async (callId, turn) => {
        const select = `SELECT entry FROM ${entries} AND call_id = ?2
          ORDER BY (turn IS NOT DISTINCT FROM ?3) DESC, number DESC LIMIT 1`;
        return toEntries(await this.send(select, column, toIndexed(callId), toColumn(turn ?? "")))[0];
      },
      entries: async () => toEntries(await this.send(`SELECT entry FROM ${entries} ORDER BY number`, column)),
    };
  }
}

/** The statement that records an entry, once. Its values are those of {@link toEntryRow}. */
export function insertEntry(schema = ""): string {
  const columns = "(session, digest, call_id, turn, entry)";
  return `INSERT INTO ${schema}entry ${columns} VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING`;
}

/** The columns of an entry of a session. */
export function toEntryRow(session: string, entry: TranscriptEntry) {
  const plain = toPlainEntry(entry);
  const { callId, turn = null } = plain;
  const told = turn && toColumn(turn);
  return [toIndexed(session), entryDigest(plain), toIndexed(callId), told, JSON.stringify(plain)] as const;
}

function toEntries(rows: readonly Row[]): readonly TranscriptEntry[] {
  return rows.map(({ entry }) => JSON.parse(String(entry)) as TranscriptEntry);
}

import type { JsonValue } from "@dispatch/tools-interface";
import type { Questions, QuestionState } from "../await-answer.ts";
import { toColumn } from "../column-text.ts";
import type { DurableWait, OpenWait } from "../durable-engine.ts";
import { toOpenWait, toQuestionState } from "../question-row.ts";
import { CHANNEL } from "./liveness.ts";
import type { PostgresPool } from "./postgres-client.ts";

/** The questions of a database. */
export class PostgresWaits implements Questions {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  async find(key: string): Promise<QuestionState | undefined> {
    const { rows } = await this.#pool.query("SELECT * FROM dispatch.wait WHERE key = $1", [toColumn(key)]);
    return rows[0] && toQuestionState(rows[0]);
  }

  async ask(key: string, { kind, question, expiresAt }: DurableWait): Promise<QuestionState> {
    const insert =
      "INSERT INTO dispatch.wait (key, kind, question, since, expires_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
    await this.#pool.query(insert, [
      toColumn(key),
      toColumn(kind),
      JSON.stringify(question),
      Date.now(),
      expiresAt ?? null,
    ]);
    return (await this.find(key))!;
  }

  async lapse(key: string): Promise<void> {
    await this.#pool.query("UPDATE dispatch.wait SET lapsed = true WHERE key = $1 AND answer IS NULL", [toColumn(key)]);
  }

  async answer(key: string, answer: JsonValue): Promise<boolean> {
    // The id tells this answer from an equal one of somebody else when the statement is sent again.
    const statement = `WITH answered AS (UPDATE dispatch.wait SET answer = $2, answer_id = $4
      WHERE key = $1 AND (answer_id = $4 OR
        answer IS NULL AND NOT lapsed AND (expires_at IS NULL OR expires_at > $3)) RETURNING key)
      SELECT pg_notify('${CHANNEL}', '') FROM answered`;
    const values = [toColumn(key), JSON.stringify(answer), Date.now(), crypto.randomUUID()];
    return (await this.#pool.query(statement, values)).rowCount === 1;
  }

  async open(): Promise<readonly OpenWait[]> {
    const select = `SELECT * FROM dispatch.wait
      WHERE answer IS NULL AND NOT lapsed AND (expires_at IS NULL OR expires_at > $1) ORDER BY since, key`;
    const { rows } = await this.#pool.query(select, [Date.now()]);
    return rows.map(toOpenWait);
  }
}

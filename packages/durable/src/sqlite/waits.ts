import type { JsonValue } from "@dispatch/tools-interface";
import type { Questions, QuestionState } from "../await-answer.ts";
import { toColumn } from "../column-text.ts";
import type { DurableWait, OpenWait } from "../durable-engine.ts";
import { toOpenWait, toQuestionState } from "../question-row.ts";
import type { Ledger } from "./ledger.ts";

const SELECT = "SELECT * FROM wait WHERE key = ?";

/** The questions of a ledger. */
export class Waits implements Questions {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  async find(key: string): Promise<QuestionState | undefined> {
    const row = await this.#ledger.read(() => this.#ledger.one(SELECT, toColumn(key)));
    return row && toQuestionState(row);
  }

  ask(key: string, { kind, question, expiresAt }: DurableWait): Promise<QuestionState> {
    return this.#ledger.transact(() => {
      const insert = "INSERT INTO wait VALUES (?, ?, ?, ?, ?, NULL, 0) ON CONFLICT DO NOTHING";
      const asked = [toColumn(key), toColumn(kind), JSON.stringify(question), Date.now(), expiresAt ?? null];
      this.#ledger.change(insert, ...asked);
      return toQuestionState(this.#ledger.one(SELECT, toColumn(key))!);
    });
  }

  async lapse(key: string): Promise<void> {
    const statement = "UPDATE wait SET lapsed = 1 WHERE key = ? AND answer IS NULL";
    await this.#ledger.transact(() => this.#ledger.change(statement, toColumn(key)));
  }

  async answer(key: string, answer: JsonValue): Promise<boolean> {
    const statement =
      "UPDATE wait SET answer = ? WHERE key = ? AND answer IS NULL AND lapsed = 0 AND (expires_at IS NULL OR expires_at > ?)";
    const changed = await this.#ledger.transact(() =>
      this.#ledger.change(statement, JSON.stringify(answer), toColumn(key), Date.now()),
    );
    return changed === 1;
  }

  async open(): Promise<readonly OpenWait[]> {
    const statement = `SELECT * FROM wait
      WHERE answer IS NULL AND lapsed = 0 AND (expires_at IS NULL OR expires_at > ?) ORDER BY since, key`;
    const rows = await this.#ledger.read(() => this.#ledger.all(statement, Date.now()));
    return rows.map(toOpenWait);
  }
}

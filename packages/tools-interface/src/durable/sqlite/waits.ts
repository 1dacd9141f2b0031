import type { JsonValue } from "../../json/json-snapshot.ts";
import type { Answered, DurableWait, OpenWait } from "../durable-engine.ts";
import { stoppedWaiting } from "../unless-aborted.ts";
import type { Ledger, Row } from "./ledger.ts";
import type { WakeUp } from "./wake-up.ts";

/** Longest sleep between two looks at a question, in milliseconds. */
const LOOK_MS = 1_000;

/** The questions of a ledger. */
export class Waits {
  readonly #ledger: Ledger;
  readonly #wakeUp: WakeUp;

  constructor(ledger: Ledger, wakeUp: WakeUp) {
    this.#ledger = ledger;
    this.#wakeUp = wakeUp;
  }

  async wait(key: string, wait: DurableWait): Promise<Answered | undefined> {
    const { signal, patienceMs = Infinity } = wait;
    const until = performance.now() + patienceMs;
    for (;;) {
      const row = (await this.#find(key)) ?? (await this.#ask(key, wait));
      const answered = toAnswered(row);
      if (answered !== undefined) return answered;
      const expiresAt = row["expires_at"] === null ? Infinity : Number(row["expires_at"]);
      if (expiresAt <= Date.now()) {
        await this.#lapse(key);
        continue;
      }
      const left = until - performance.now();
      if (left <= 0) return undefined;
      await this.#wakeUp.next(Math.max(1, Math.min(left, expiresAt - Date.now(), LOOK_MS)), signal);
      if (signal?.aborted) throw stoppedWaiting();
    }
  }

  async answer(key: string, answer: JsonValue): Promise<boolean> {
    const statement =
      "UPDATE wait SET answer = ? WHERE key = ? AND answer IS NULL AND lapsed = 0 AND (expires_at IS NULL OR expires_at > ?)";
    const changed = await this.#ledger.transact(() =>
      this.#ledger.change(statement, JSON.stringify(answer), key, Date.now()),
    );
    return changed === 1;
  }

  async open(): Promise<readonly OpenWait[]> {
    const statement = "SELECT * FROM wait WHERE answer IS NULL AND lapsed = 0 ORDER BY since, key";
    const now = Date.now();
    const rows = await this.#ledger.read(() => this.#ledger.all(statement));
    return rows.flatMap((row) => {
      const { key, kind, question, since, expires_at: expires } = row;
      const expiresAt = expires === null ? undefined : Number(expires);
      if (expiresAt !== undefined && expiresAt <= now) return [];
      const asked = { key: String(key), kind: String(kind), question: JSON.parse(String(question)) as JsonValue };
      return [{ ...asked, since: Number(since), ...(expiresAt !== undefined && { expiresAt }) }];
    });
  }

  #find(key: string): Promise<Row | undefined> {
    return this.#ledger.read(() => this.#ledger.one("SELECT * FROM wait WHERE key = ?", key));
  }

  #ask(key: string, { kind, question, expiresAt }: DurableWait): Promise<Row> {
    return this.#ledger.transact(() => {
      const insert = "INSERT INTO wait VALUES (?, ?, ?, ?, ?, NULL, 0) ON CONFLICT DO NOTHING";
      this.#ledger.change(insert, key, kind, JSON.stringify(question), Date.now(), expiresAt ?? null);
      return this.#ledger.one("SELECT * FROM wait WHERE key = ?", key) as Row;
    });
  }

  /** From now on nobody can answer any more, so that all who wait find the same. */
  async #lapse(key: string): Promise<void> {
    const statement = "UPDATE wait SET lapsed = 1 WHERE key = ? AND answer IS NULL";
    await this.#ledger.transact(() => this.#ledger.change(statement, key));
  }
}

function toAnswered({ answer, lapsed }: Row): Answered | undefined {
  if (typeof answer === "string") return { lapsed: false, answer: JSON.parse(answer) as JsonValue };
  return lapsed === 1 ? { lapsed: true } : undefined;
}

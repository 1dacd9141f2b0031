import type { JsonValue } from "../../json/json-snapshot.ts";
import { onAbort } from "../../wait/on-abort.ts";
import type { Answered, DurableWait, OpenWait } from "../durable-engine.ts";
import { stoppedWaiting } from "../unless-aborted.ts";
import { CHANNEL } from "./liveness.ts";
import type { PostgresPool } from "./postgres-client.ts";

/** Longest sleep between two looks at a question, in milliseconds: a notice may be lost with its connection. */
const LOOK_MS = 1_000;

type Row = Readonly<Record<string, unknown>>;

/** The questions of a database. */
export class PostgresWaits {
  readonly #pool: PostgresPool;
  readonly #waiting = new Set<() => void>();

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  /** Wakes everybody who waits. */
  readonly notify = (): void => {
    for (const wake of this.#waiting) wake();
  };

  async wait(key: string, wait: DurableWait): Promise<Answered | undefined> {
    const { signal, patienceMs = Infinity } = wait;
    const until = performance.now() + patienceMs;
    for (;;) {
      const row = (await this.#find(key)) ?? (await this.#ask(key, wait));
      const answered = toAnswered(row);
      if (answered !== undefined) return answered;
      const expiresAt = row["expires_at"] === null ? Infinity : Number(row["expires_at"]);
      if (expiresAt <= Date.now()) {
        await this.#pool.query("UPDATE dispatch.wait SET lapsed = true WHERE key = $1 AND answer IS NULL", [key]);
        continue;
      }
      const left = until - performance.now();
      if (left <= 0) return undefined;
      await this.#next(Math.max(1, Math.min(left, expiresAt - Date.now(), LOOK_MS)), signal);
      if (signal?.aborted) throw stoppedWaiting();
    }
  }

  async answer(key: string, answer: JsonValue): Promise<boolean> {
    const statement = `WITH answered AS (UPDATE dispatch.wait SET answer = $2
      WHERE key = $1 AND answer IS NULL AND NOT lapsed AND (expires_at IS NULL OR expires_at > $3) RETURNING key)
      SELECT pg_notify('${CHANNEL}', '') FROM answered`;
    const { rowCount } = await this.#pool.query(statement, [key, JSON.stringify(answer), Date.now()]);
    return rowCount === 1;
  }

  async open(): Promise<readonly OpenWait[]> {
    const select = `SELECT * FROM dispatch.wait
      WHERE answer IS NULL AND NOT lapsed AND (expires_at IS NULL OR expires_at > $1) ORDER BY since, key`;
    const { rows } = await this.#pool.query(select, [Date.now()]);
    return rows.map(({ key, kind, question, since, expires_at: expires }) => {
      const asked = { key: String(key), kind: String(kind), question: JSON.parse(String(question)) as JsonValue };
      return { ...asked, since: Number(since), ...(expires !== null && { expiresAt: Number(expires) }) };
    });
  }

  async #find(key: string): Promise<Row | undefined> {
    return (await this.#pool.query("SELECT * FROM dispatch.wait WHERE key = $1", [key])).rows[0];
  }

  async #ask(key: string, { kind, question, expiresAt }: DurableWait): Promise<Row> {
    const insert =
      "INSERT INTO dispatch.wait (key, kind, question, since, expires_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
    await this.#pool.query(insert, [key, kind, JSON.stringify(question), Date.now(), expiresAt ?? null]);
    return (await this.#find(key)) as Row;
  }

  #next(maxMs: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        detach?.();
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, maxMs);
      const detach = signal && onAbort(signal, wake);
      this.#waiting.add(wake);
    });
  }
}

function toAnswered({ answer, lapsed }: Row): Answered | undefined {
  if (typeof answer === "string") return { lapsed: false, answer: JSON.parse(answer) as JsonValue };
  return lapsed === true ? { lapsed: true } : undefined;
}

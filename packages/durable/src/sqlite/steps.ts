import type { JsonValue } from "@dispatch/tools-interface";
import { fromColumn, toColumn } from "../column-text.ts";
import type { FoundStep } from "../durable-engine.ts";
import type { EntryRow } from "../entry-row.ts";
import type { Ledger, Row } from "./ledger.ts";
import { INSERT_ENTRY } from "./sqlite-transcript.ts";
import type { Workers } from "./workers.ts";

/** The result of taking a step. */
export type Claim =
  | { readonly kind: "done"; readonly result: string }
  | { readonly kind: "mine"; readonly fence: number; readonly again: JsonValue | undefined }
  | { readonly kind: "other"; readonly worker: string };

/** A step of the ledger that this process may take. */
export interface TakenStep {
  readonly key: string;
  readonly intent: JsonValue;
}

const STEP = "SELECT key, state, worker, fence, since, intent, result FROM step";

/** Steps that are read at a time. */
const PAGE = 50;
/** Most characters of intents that are looked through before others have their turn. */
const MAX_SCANNED_CHARS = 1_000_000;
const START = [Number.MIN_SAFE_INTEGER, ""] as const;

/** The steps of the ledger. */
export class Steps {
  readonly #ledger: Ledger;
  readonly #workers: Workers;

  /** How far a worker's steps were looked through when they were too many. */
  readonly #stoppedAt = new Map<string | null, readonly [since: number, key: string]>();

  constructor(ledger: Ledger, workers: Workers) {
    this.#ledger = ledger;
    this.#workers = workers;
  }

  /** Takes a step for this process, unless it is done or another living process has it. */
  claim(key: string, intent: string): Promise<Claim> {
    const { own } = this.#workers;
    const column = toColumn(key);
    return this.#ledger.transact((): Claim => {
      const row = this.#ledger.one(`${STEP} WHERE key = ?`, column);
      if (row === undefined) {
        this.#ledger.change(
          "INSERT INTO step VALUES (?, 'running', ?, 1, ?, ?, NULL, NULL)",
          column,
          own,
          Date.now(),
          intent,
        );
        return { kind: "mine", fence: 1, again: undefined };
      }
      const { worker, state } = row;
      if (state === "done") return { kind: "done", result: String(row["result"]) };
      if (typeof worker === "string" && worker !== own && !this.#workers.isKnownDead(worker))
        return { kind: "other", worker };
      const fence = Number(row["fence"]) + 1;
      // The intent of the process that had begun stays: it pins the version of the tool.
      const hadBegun = state !== "submitted";
      const recorded = hadBegun ? String(row["intent"]) : intent;
      this.#ledger.change(
        "UPDATE step SET state = 'running', worker = ?, fence = ?, intent = ? WHERE key = ?",
        own,
        fence,
        recorded,
        column,
      );
      return { kind: "mine", fence, again: hadBegun ? (JSON.parse(recorded) as JsonValue) : undefined };
    });
  }

  /** Records the result of a step. Answers the one that counts: another process may have taken the step in between. */
  finish(key: string, fence: number, result: string, entry: EntryRow | undefined): Promise<string> {
    const column = toColumn(key);
    return this.#ledger.transact(() => {
      const isOwn = "WHERE key = ? AND fence = ? AND result IS NULL";
      const done = this.#ledger.change(`UPDATE step SET state = 'done', result = ? ${isOwn}`, result, column, fence);
      if (done === 1) {
        if (entry !== undefined) this.#ledger.change(INSERT_ENTRY, ...entry);
        return result;
      }
      const recorded = this.#ledger.one("SELECT result FROM step WHERE key = ?", column)?.["result"];
      this.#ledger.change("UPDATE step SET late = ? WHERE key = ? AND late IS NULL", result, column);
      return typeof recorded === "string" ? recorded : result;
    });
  }

  /** Records a step that nobody has begun. */
  async submit(key: string, intent: string): Promise<void> {
    const insert = "INSERT INTO step VALUES (?, 'submitted', NULL, 0, ?, ?, NULL, NULL) ON CONFLICT DO NOTHING";
    await this.#ledger.transact(() => this.#ledger.change(insert, toColumn(key), Date.now(), intent));
  }

  /** One step. */
  async find(key: string): Promise<FoundStep | undefined> {
    const row = await this.#ledger.read(() => this.#ledger.one(`${STEP} WHERE key = ?`, toColumn(key)));
    return row && (await this.#toFound(row));
  }

  /** Whether a step is open and a living process has it. */
  async isHeldBy(key: string, worker: string): Promise<boolean> {
    const select = "SELECT worker FROM step WHERE key = ? AND result IS NULL";
    const row = await this.#ledger.read(() => this.#ledger.one(select, toColumn(key)));
    return row?.["worker"] === worker && !(await this.#workers.isDead(worker));
  }

  /** Steps without a result, oldest first. */
  async open(): Promise<readonly (FoundStep & { readonly key: string; readonly since: number })[]> {
    const rows = await this.#ledger.read(() => this.#ledger.all(`${STEP} WHERE result IS NULL ORDER BY since, key`));
    const found = [];
    for (const row of rows) {
      found.push({ key: fromColumn(String(row["key"])), since: Number(row["since"]), ...(await this.#toFound(row)) });
    }
    return found;
  }

  /** Takes steps that were submitted, and those whose process has died, so that no other worker takes them too. */
  async take(most: number, isWanted: (key: string, intent: JsonValue) => boolean): Promise<readonly TakenStep[]> {
    const wanted: (TakenStep & { readonly from: string | null })[] = [];
    for (const from of [...(await this.#workers.findDead()), null]) {
      await this.#scan(from, (key, intent) => {
        if (isWanted(key, intent)) wanted.push({ key, intent, from });
        return wanted.length < most;
      });
      if (wanted.length >= most) break;
    }
    if (wanted.length === 0) return [];
    const statement =
      "UPDATE step SET state = CASE state WHEN 'submitted' THEN state ELSE 'broken' END, worker = ?, fence = fence + 1 WHERE key = ? AND worker IS ? AND result IS NULL";
    const { own } = this.#workers;
    return this.#ledger.transact(() =>
      wanted.filter(({ key, from }) => this.#ledger.change(statement, own, toColumn(key), from) === 1),
    );
  }

  /** Goes through the open steps of a worker, oldest first, and goes on where it stopped if they are too many for one time. */
  async #scan(worker: string | null, look: (key: string, intent: JsonValue) => boolean): Promise<void> {
    const select = `${STEP} WHERE worker IS ? AND result IS NULL AND (since, key) > (?, ?) ORDER BY since, key LIMIT ${PAGE}`;
    let [since, last] = this.#stoppedAt.get(worker) ?? START;
    this.#stoppedAt.delete(worker);
    for (let chars = 0; chars < MAX_SCANNED_CHARS;) {
      const [after, key] = [since, last];
      const rows = await this.#ledger.read(() => this.#ledger.all(select, worker, after, key));
      for (const row of rows) {
        [since, last] = [Number(row["since"]), String(row["key"])];
        const intent = String(row["intent"]);
        chars += intent.length;
        if (!look(fromColumn(last), readable(intent))) return;
      }
      if (rows.length < PAGE) return;
    }
    this.#stoppedAt.set(worker, [since, last]);
  }

  /** Gives a step back that was taken and not run. */
  async release(key: string): Promise<void> {
    const statement =
      "UPDATE step SET worker = CASE state WHEN 'submitted' THEN NULL ELSE '' END WHERE key = ? AND worker = ? AND state <> 'running' AND result IS NULL";
    await this.#ledger.transact(() => this.#ledger.change(statement, toColumn(key), this.#workers.own));
  }

  async #toFound(row: Row): Promise<FoundStep> {
    const intent = readable(String(row["intent"]));
    const { state, worker, result } = row;
    if (state === "done") return { state, intent, result: JSON.parse(String(result)) as JsonValue };
    if (state === "submitted") return { state, intent };
    const isBroken = state === "broken" || typeof worker !== "string" || (await this.#workers.isDead(worker));
    return { state: isBroken ? "broken" : "running", intent };
  }
}

/** An intent; `null`, which nobody takes, for one that somebody damaged. */
function readable(intent: string): JsonValue {
  try {
    return JSON.parse(intent) as JsonValue;
  } catch {
    return null;
  }
}

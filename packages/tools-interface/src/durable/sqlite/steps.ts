import type { JsonValue } from "../../json/json-snapshot.ts";
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

/** The steps of the ledger. */
export class Steps {
  readonly #ledger: Ledger;
  readonly #workers: Workers;

  constructor(ledger: Ledger, workers: Workers) {
    this.#ledger = ledger;
    this.#workers = workers;
  }

  /** Takes a step for this process, unless it is done or another living process has it. */
  claim(key: string, intent: string): Promise<Claim> {
    const { own } = this.#workers;
    return this.#ledger.transact((): Claim => {
      const row = this.#ledger.one(`${STEP} WHERE key = ?`, key);
      if (row === undefined) {
        this.#ledger.change(
          "INSERT INTO step VALUES (?, 'running', ?, 1, ?, ?, NULL, NULL)",
          key,
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
      const kept = hadBegun ? String(row["intent"]) : intent;
      this.#ledger.change(
        "UPDATE step SET state = 'running', worker = ?, fence = ?, intent = ? WHERE key = ?",
        own,
        fence,
        kept,
        key,
      );
      return { kind: "mine", fence, again: hadBegun ? (JSON.parse(kept) as JsonValue) : undefined };
    });
  }

  /** Records the result of a step. Answers the one that counts: another process may have taken the step in between. */
  finish(key: string, fence: number, result: string, entry: EntryRow | undefined): Promise<string> {
    return this.#ledger.transact(() => {
      const isOwn = "WHERE key = ? AND fence = ? AND result IS NULL";
      const done = this.#ledger.change(`UPDATE step SET state = 'done', result = ? ${isOwn}`, result, key, fence);
      if (done === 1) {
        if (entry !== undefined) this.#ledger.change(INSERT_ENTRY, ...entry);
        return result;
      }
      const kept = this.#ledger.one("SELECT result FROM step WHERE key = ?", key)?.["result"];
      this.#ledger.change("UPDATE step SET late = ? WHERE key = ? AND late IS NULL", result, key);
      return typeof kept === "string" ? kept : result;
    });
  }

  /** Records a step that nobody has begun. */
  async submit(key: string, intent: string): Promise<void> {
    const insert = "INSERT INTO step VALUES (?, 'submitted', NULL, 0, ?, ?, NULL, NULL) ON CONFLICT DO NOTHING";
    await this.#ledger.transact(() => this.#ledger.change(insert, key, Date.now(), intent));
  }

  /** One step. */
  async find(key: string): Promise<FoundStep | undefined> {
    const row = await this.#ledger.read(() => this.#ledger.one(`${STEP} WHERE key = ?`, key));
    return row && (await this.#toFound(row));
  }

  /** Whether a step is open and a living process has it. */
  async isHeldBy(key: string, worker: string): Promise<boolean> {
    const select = "SELECT worker FROM step WHERE key = ? AND result IS NULL";
    const row = await this.#ledger.read(() => this.#ledger.one(select, key));
    return row?.["worker"] === worker && !(await this.#workers.isDead(worker));
  }

  /** Steps without a result, oldest first. */
  async open(): Promise<readonly (FoundStep & { readonly key: string; readonly since: number })[]> {
    const rows = await this.#ledger.read(() => this.#ledger.all(`${STEP} WHERE result IS NULL ORDER BY since, key`));
    const found = [];
    for (const row of rows) {
      found.push({ key: String(row["key"]), since: Number(row["since"]), ...(await this.#toFound(row)) });
    }
    return found;
  }

  /** Takes steps that were submitted, and those whose process has died, so that no other worker takes them too. */
  async take(most: number, isWanted: (key: string, intent: JsonValue) => boolean): Promise<readonly TakenStep[]> {
    const { own } = this.#workers;
    const dead = await this.#workers.findDead();
    const from = `${STEP} WHERE result IS NULL AND worker`;
    const find = (): readonly Row[] => [
      ...dead.flatMap((worker) => this.#ledger.all(`${from} = ? ORDER BY since LIMIT ?`, worker, most * 4)),
      ...this.#ledger.all(`${from} IS NULL ORDER BY since LIMIT ?`, most * 4),
    ];
    if ((await this.#ledger.read(find)).length === 0) return [];
    return this.#ledger.transact(() => {
      const taken: TakenStep[] = [];
      for (const row of find()) {
        const key = String(row["key"]);
        const intent = JSON.parse(String(row["intent"])) as JsonValue;
        if (taken.length >= most) break;
        if (!isWanted(key, intent)) continue;
        const state = row["state"] === "submitted" ? "submitted" : "broken";
        this.#ledger.change("UPDATE step SET state = ?, worker = ?, fence = fence + 1 WHERE key = ?", state, own, key);
        taken.push({ key, intent });
      }
      return taken;
    });
  }

  /** Gives a step back that was taken and not run. */
  async release(key: string): Promise<void> {
    const statement =
      "UPDATE step SET worker = CASE state WHEN 'submitted' THEN NULL ELSE '' END WHERE key = ? AND worker = ? AND state <> 'running' AND result IS NULL";
    await this.#ledger.transact(() => this.#ledger.change(statement, key, this.#workers.own));
  }

  async #toFound(row: Row): Promise<FoundStep> {
    const intent = JSON.parse(String(row["intent"])) as JsonValue;
    const { state, worker, result } = row;
    if (state === "done") return { state, intent, result: JSON.parse(String(result)) as JsonValue };
    if (state === "submitted") return { state, intent };
    const isBroken = state === "broken" || typeof worker !== "string" || (await this.#workers.isDead(worker));
    return { state: isBroken ? "broken" : "running", intent };
  }
}

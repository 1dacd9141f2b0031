import { rmSync } from "node:fs";
import type { Ledger } from "./ledger.ts";
import { WorkerLock } from "./worker-lock.ts";

/** The processes that have a ledger open, each with a locked file beside it. */
export class Workers {
  /** The name of this process. */
  readonly own: string = crypto.randomUUID();
  readonly #ledger: Ledger;
  readonly #file: string;
  readonly #lock: WorkerLock;
  /** A process that died stays dead: each has a name of its own. The empty name stands for one that gave its steps up. */
  readonly #dead = new Set<string>([""]);

  private constructor(ledger: Ledger, file: string) {
    this.#ledger = ledger;
    this.#file = file;
    this.#lock = new WorkerLock(this.#lockOf(this.own));
  }

  /** Says that this process lives, and forgets those that died and left nothing open. */
  static async join(ledger: Ledger, file: string): Promise<Workers> {
    const workers = new Workers(ledger, file);
    // Known to others only once its file is locked.
    await ledger.transact(() => ledger.change("INSERT INTO worker VALUES (?, ?)", workers.own, Date.now()));
    await workers.#forget();
    return workers;
  }

  /** Whether a process is known to have died, without looking. */
  isKnownDead(worker: string): boolean {
    return this.#dead.has(worker);
  }

  /** Whether a process has died. */
  async isDead(worker: string): Promise<boolean> {
    if (worker === this.own) return false;
    if (!this.#dead.has(worker) && (await this.#ledger.read(() => WorkerLock.isFree(this.#lockOf(worker)))))
      this.#dead.add(worker);
    return this.#dead.has(worker);
  }

  /** The dead processes that have left something open. */
  async findDead(): Promise<readonly string[]> {
    const statement = "SELECT DISTINCT worker FROM step WHERE result IS NULL AND worker IS NOT NULL";
    const named = await this.#ledger.read(() => this.#ledger.all(statement));
    const dead: string[] = [];
    for (const { worker } of named) if (await this.isDead(String(worker))) dead.push(String(worker));
    return dead;
  }

  /** Says that this process has ended. */
  leave(): void {
    this.#lock.release();
  }

  async #forget(): Promise<void> {
    const idle =
      "SELECT id FROM worker WHERE id NOT IN (SELECT worker FROM step WHERE result IS NULL AND worker IS NOT NULL)";
    for (const { id } of await this.#ledger.read(() => this.#ledger.all(idle))) {
      const worker = String(id);
      if (!(await this.isDead(worker))) continue;
      await this.#ledger.transact(() => this.#ledger.change("DELETE FROM worker WHERE id = ?", worker));
      rmSync(this.#lockOf(worker), { force: true });
    }
  }

  #lockOf(worker: string): string {
    return `${this.#file}-worker-${worker}`;
  }
}

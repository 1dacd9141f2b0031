import type { Semaphore } from "./semaphore.ts";

/** A program that waits for the host longer than this, and computes nothing meanwhile, lets another one run. */
const PATIENCE_MS = 250;
/** Programs that may wait without a permit at a time. Each keeps its process. */
const MAX_AWAY = 64;

/** Counts the programs that wait without a permit. */
export interface Away {
  /** How many there are. */
  count: number;
}

/**
 * The permit that one program runs under. While the program only waits for the host, perhaps for a person, another one may
 * have it.
 */
export class RunPermit {
  readonly #semaphore: Semaphore;
  readonly #away: Away;
  readonly #ended = new AbortController();
  #isHeld = true;
  #returning: Promise<void> | undefined;
  /** When the program last was seen to compute, or not to wait for the host, and its processor time then. */
  #busyAt = performance.now();
  #busyCpuMs = 0;

  /** @param semaphore Has been acquired for this program. */
  constructor(semaphore: Semaphore, away: Away) {
    this.#semaphore = semaphore;
    this.#away = away;
  }

  /** Reports regularly on the program. While it only waits, another one may run, unless too many wait already. */
  look(isPending: boolean, now: number, cpuMs: number): void {
    if (!isPending || cpuMs - this.#busyCpuMs > PATIENCE_MS / 10) {
      this.#busyAt = now;
      this.#busyCpuMs = cpuMs;
    } else if (now - this.#busyAt > PATIENCE_MS) this.#leave();
  }

  /** Calls `goOn` when the program may go on: at once while it holds its permit, never when it ends first. */
  whenHeld(goOn: () => void): void {
    if (this.#isHeld) goOn();
    else void this.#return().then(goOn);
  }

  /** Gives the permit back for good. */
  end(): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    if (this.#isHeld) this.#semaphore.release();
    else this.#away.count -= 1;
  }

  #leave(): void {
    if (!this.#isHeld || this.#away.count >= MAX_AWAY || this.#ended.signal.aborted) return;
    this.#isHeld = false;
    this.#away.count += 1;
    this.#semaphore.release();
  }

  #return(): Promise<void> {
    this.#returning ??= new Promise((resolve) => {
      void this.#semaphore.acquire(this.#ended.signal, true).then((acquired) => {
        if (!acquired) return;
        if (this.#ended.signal.aborted) return this.#semaphore.release();
        this.#isHeld = true;
        this.#away.count -= 1;
        this.#returning = undefined;
        resolve();
      });
    });
    return this.#returning;
  }
}

import type { Semaphore } from "../../run/semaphore.ts";

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

  /** @param semaphore Has been acquired for this program. */
  constructor(semaphore: Semaphore, away: Away) {
    this.#semaphore = semaphore;
    this.#away = away;
  }

  /** Whether the program may go on. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Lets another program run, unless too many wait already. */
  leave(): void {
    if (!this.#isHeld || this.#away.count >= MAX_AWAY || this.#ended.signal.aborted) return;
    this.#isHeld = false;
    this.#away.count += 1;
    this.#semaphore.release();
  }

  /** Waits until the program may go on. Never settles when it ends first. */
  return(): Promise<void> {
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

  /** Gives the permit back for good. */
  end(): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    if (this.#isHeld) this.#semaphore.release();
    else this.#away.count -= 1;
  }
}

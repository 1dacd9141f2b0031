/** Counting semaphore: runs at most so much work at a time, first come, first served. */
export class Semaphore {
  #waiting: (() => void)[] = [];
  /** Index of the first that waits: taking it off the front of a long array would move all others. */
  #first = 0;
  #free: number;

  /** @param count How much work runs at a time. Less than 1, or no number, counts as 1, so that work always starts. */
  constructor(count: number) {
    this.#free = typeof count === "number" && count >= 1 ? count : 1;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free >= 1) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #release(): void {
    const next = this.#waiting[this.#first];
    if (next === undefined) {
      this.#waiting = [];
      this.#first = 0;
      this.#free += 1;
    } else {
      this.#first += 1;
      next();
    }
  }
}

/** Runs at most so much work at a time, first come, first served. */
export class Semaphore {
  readonly #waiting = new Set<() => void>();
  #free: number;

  /** @param count maximum amount of work at a time. */
  constructor(count: number) {
    this.#free = count;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.add(resolve));
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) this.#free += 1;
      else {
        this.#waiting.delete(next);
        next();
      }
    }
  }
}

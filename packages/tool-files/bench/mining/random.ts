/** Numbers that are the same in every run with the same start: a generator of Marsaglia's xorshift family. */
export class Random {
  #state: number;

  constructor(start: number) {
    this.#state = (start * 2_654_435_761) >>> 0 || 1;
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    this.#state >>>= 0;
    return this.#state % limit;
  }

  /** One of them. */
  pick<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error("Cannot pick: there is nothing to pick from");
    return value;
  }
}

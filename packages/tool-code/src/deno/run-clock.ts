/** When a run is over time, and which limit that is. */
export type Overtime = "wallMs" | "totalMs" | undefined;

/**
 * Measures the time a program uses. While it waits for tools its clock stands still, except for processor time it
 * spends meanwhile: a program that computes beside a slow call pays for it. Where processor time is not known, only the
 * total limits that.
 */
export class RunClock {
  readonly #wallMs: number;
  readonly #totalMs: number;
  readonly #start: number;
  #used = 0;
  #cpu: number;
  /** When the time now counted began. */
  #since: number;
  /** Waiting time within it. */
  #waited = 0;
  #waitingSince: number | undefined;

  /** @param cpuMs Processor time the process has spent until now. */
  constructor(limits: { readonly wallMs: number; readonly totalMs: number }, now: number, cpuMs = 0) {
    this.#cpu = cpuMs;
    this.#wallMs = limits.wallMs;
    this.#totalMs = limits.totalMs;
    this.#start = now;
    this.#since = now;
  }

  /** Since the start, in milliseconds. */
  total(now: number): number {
    return now - this.#start;
  }

  /** The program has a call pending (again), or none any more. */
  waiting(waits: boolean, now: number): void {
    if (waits) this.#waitingSince ??= now;
    else if (this.#waitingSince !== undefined) {
      this.#waited += now - this.#waitingSince;
      this.#waitingSince = undefined;
    }
  }

  /** Counts what has passed since the last check and tells whether a limit is reached. `cpuMs` is the sum so far. */
  check(now: number, cpuMs: number | undefined): Overtime {
    if (this.#waitingSince !== undefined) {
      this.#waited += now - this.#waitingSince;
      this.#waitingSince = now;
    }
    const active = now - this.#since - this.#waited;
    const busy = cpuMs === undefined ? active : cpuMs - this.#cpu;
    this.#used += active + Math.min(Math.max(busy - active, 0), this.#waited);
    this.#cpu = cpuMs ?? this.#cpu;
    this.#since = now;
    this.#waited = 0;
    if (this.total(now) >= this.#totalMs) return "totalMs";
    return this.#used >= this.#wallMs ? "wallMs" : undefined;
  }
}

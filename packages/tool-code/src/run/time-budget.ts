/** The limit that a run has exceeded. */
export type TimeLimit = "wallMs" | "totalMs" | "cpuMs";

/**
 * The timeout of a program: measures its time against `wallMs`, `totalMs` and `cpuMs`. Time spent waiting for tools does not count towards `wallMs`,
 * except for the processor time used meanwhile: a program that computes beside a slow call pays for it. Where processor
 * time is unknown, only `totalMs` limits such a program.
 */
export class TimeBudget {
  readonly #limits: { readonly [limit in TimeLimit]: number };
  readonly #start: number;
  #used = 0;
  readonly #startCpuMs: number;
  #cpuMs: number;
  /** Start of the interval since the last check. */
  #since: number;
  /** Waiting time within that interval. */
  #waited = 0;
  #waitingSince: number | undefined;
  #skippedMs = 0;

  /** @param cpuMs Processor time that the process has used so far. */
  constructor(limits: { readonly [limit in TimeLimit]: number }, now: number, cpuMs = 0) {
    this.#limits = limits;
    this.#start = now;
    this.#since = now;
    this.#startCpuMs = cpuMs;
    this.#cpuMs = cpuMs;
  }

  elapsedMs(now: number): number {
    return now - this.#start;
  }

  /** Records whether the program has a pending tool call. */
  setWaiting(waiting: boolean, now: number): void {
    if (waiting) this.#waitingSince ??= now;
    else if (this.#waitingSince !== undefined) {
      this.#waited += now - this.#waitingSince;
      this.#waitingSince = undefined;
    }
  }

  /**
   * Leaves out the time since the last check, in which the host was blocked and could not read what the program sent. Only the
   * processor time that the program used meanwhile counts, for both limits.
   */
  skip(now: number, cpuMs: number | undefined): void {
    const passed = now - this.#since;
    const busy = cpuMs === undefined ? 0 : Math.min(cpuMs - this.#cpuMs, passed);
    this.#used += busy;
    this.#skippedMs += passed - busy;
    this.#cpuMs = cpuMs ?? this.#cpuMs;
    this.#since = now;
    this.#waited = 0;
    if (this.#waitingSince !== undefined) this.#waitingSince = now;
  }

  /** Counts the time since the last check. Returns the exceeded limit, if any. `cpuMs` is the processor time so far. */
  exceeded(now: number, cpuMs: number | undefined): TimeLimit | undefined {
    if (this.#waitingSince !== undefined) {
      this.#waited += now - this.#waitingSince;
      this.#waitingSince = now;
    }
    const active = now - this.#since - this.#waited;
    const busy = cpuMs === undefined ? active : cpuMs - this.#cpuMs;
    this.#used += active + Math.min(Math.max(busy - active, 0), this.#waited);
    this.#cpuMs = cpuMs ?? this.#cpuMs;
    this.#since = now;
    this.#waited = 0;
    if (this.#cpuMs - this.#startCpuMs >= this.#limits.cpuMs) return "cpuMs";
    if (this.elapsedMs(now) - this.#skippedMs >= this.#limits.totalMs) return "totalMs";
    return this.#used >= this.#limits.wallMs ? "wallMs" : undefined;
  }
}

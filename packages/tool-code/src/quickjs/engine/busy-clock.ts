/**
 * Measures for how long a program computes. Another thread can read it at any time, because it lies in shared memory: while
 * a program computes, its own thread answers nobody.
 */
export class BusyClock {
  /** Time used so far, in milliseconds, and when the program began to compute; 0 while it waits. */
  readonly cells: Float64Array;

  constructor(cells: Float64Array = new Float64Array(2)) {
    this.cells = cells;
  }

  /** The program begins to compute. */
  start(): void {
    this.cells[1] = now();
  }

  /** It waits again, or has ended. */
  stop(): void {
    this.cells[0] = this.busyMs();
    this.cells[1] = 0;
  }

  /** How long it has computed, up to this moment, in milliseconds. */
  busyMs(): number {
    const [used = 0, since = 0] = this.cells;
    return used + (since === 0 ? 0 : Math.max(now() - since, 0));
  }
}

/** The same in every thread, which have zeros of their own. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

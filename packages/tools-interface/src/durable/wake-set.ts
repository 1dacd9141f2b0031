import { onAbort } from "../wait/on-abort.ts";

/** Longest delay that a timer can hold, in milliseconds. */
const MAX_TIMER_MS = 2_147_483_647;

/** Those who wait for a change. */
export class WakeSet {
  readonly #waiting = new Set<() => void>();

  /** Whether nobody waits. */
  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Wakes everybody. */
  readonly notify = (): void => {
    for (const wake of this.#waiting) wake();
  };

  /** Resolves at the next change, at the latest after `maxMs`, or when the signal aborts. */
  next(maxMs: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        detach?.();
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(maxMs, MAX_TIMER_MS));
      const detach = signal && onAbort(signal, wake);
      this.#waiting.add(wake);
    });
  }
}

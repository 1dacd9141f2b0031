import { onAbort } from "../../wait/on-abort.ts";

/** Between two looks at whether another process has written, in milliseconds. A look takes a few microseconds. */
const LOOK_MS = 20;

/** Wakes those who wait for a change of a file that several processes write. */
export class WakeUp {
  readonly #version: () => number;
  readonly #waiting = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #seen = 0;

  /** @param version A number that is another one after another process has written. */
  constructor(version: () => number) {
    this.#version = version;
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
        if (this.#waiting.size === 0) this.#stop();
        resolve();
      };
      const timer = setTimeout(wake, maxMs);
      const detach = signal && onAbort(signal, wake);
      this.#waiting.add(wake);
      this.#start();
    });
  }

  #start(): void {
    // The last seen state stays: a later change has perhaps been seen by nobody.
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    try {
      const version = this.#version();
      if (version === this.#seen) return;
      this.#seen = version;
    } catch {
      // Those who wait find out themselves that the file cannot be read.
    }
    this.notify();
  }
}

import { WakeSet } from "../await-answer.ts";

/** Between two looks at whether another process has written, in milliseconds. A look takes a few microseconds. */
const LOOK_MS = 20;

/** Wakes those who wait for a change of a file that several processes write. */
export class WakeUp {
  readonly #version: () => number;
  readonly #waiting = new WakeSet();
  #timer: ReturnType<typeof setInterval> | undefined;
  #seen = 0;

  /** @param version A number that is another one after another process has written. */
  constructor(version: () => number) {
    this.#version = version;
  }

  /** Wakes everybody. */
  readonly notify = this.#waiting.notify;

  /** Resolves at the next change, at the latest after `maxMs`, or when the signal aborts. */
  async next(maxMs: number, signal?: AbortSignal): Promise<void> {
    // The last seen state stays: a later change has perhaps been seen by nobody.
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS);
    await this.#waiting.next(maxMs, signal);
    if (!this.#waiting.isEmpty) return;
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

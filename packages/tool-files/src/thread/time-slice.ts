/** Milliseconds after which other work goes on. */
const SLICE_MS = 10;

/** Work that is done a part at a time, so that the event loop may do other work in between. */
export class TimeSlice {
  #since: number = performance.now();

  /** To be awaited between two parts. Lets other work go on when enough time has passed; throws when `signal` has aborted. */
  async pause(signal?: AbortSignal): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    this.#since = performance.now();
  }
}

/** What Ctrl-C does. */
export interface Interrupts {
  /**
   * Does work that Ctrl-C stops by the signal. A second Ctrl-C, while the work is still ending, ends the process at once;
   * a saved session can be resumed even then.
   */
  during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

const EXIT_INTERRUPTED = 130;

/** Listens for Ctrl-C to the end of the process. When nothing is being done it does nothing by itself. */
export function listenForInterrupts(): Interrupts {
  let current: AbortController | undefined;
  process.on("SIGINT", () => {
    if (current?.signal.aborted === true) process.exit(EXIT_INTERRUPTED);
    current?.abort(new Error("stopped by Ctrl-C"));
  });
  return {
    async during(work) {
      const own = new AbortController();
      current = own;
      try {
        return await work(own.signal);
      } finally {
        current = undefined;
      }
    },
  };
}

/** What Ctrl-C does. */
export interface Interrupts {
  /**
   * Does work that Ctrl-C stops by the signal. A second Ctrl-C, while the work is still ending, ends the process at once;
   * a saved session can be resumed even then. Ctrl-C before any work stops the first.
   */
  during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

const EXIT_INTERRUPTED = 130;

/** Listens for Ctrl-C to the end of the process. */
export function listenForInterrupts(): Interrupts {
  let current = new AbortController();
  process.on("SIGINT", () => {
    if (current.signal.aborted) process.exit(EXIT_INTERRUPTED);
    current.abort(new Error("stopped by Ctrl-C"));
  });
  return {
    async during(work) {
      try {
        return await work(current.signal);
      } finally {
        current = new AbortController();
      }
    },
  };
}

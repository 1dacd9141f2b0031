import { inspect } from "node:util";
import type { Host } from "../setup/host.ts";

/** What stops the process: Ctrl-C its current work; other signals, an output without a reader and an unexpected error all of it. */
export interface Interrupts {
  /** The exit code, once the process is to end. Work that begins then is aborted from the start. */
  readonly exitCode: number | undefined;
  /**
   * Does work that Ctrl-C stops by the signal. A second Ctrl-C, while the work is still ending, ends the process after
   * it, in ten seconds at most; a saved session can be resumed even then. Ctrl-C before any work stops the first.
   */
  during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Ends the current work and everything after it. */
  end(reason: string, exitCode: number): void;
}

const [EXIT_FAILED, EXIT_INTERRUPTED] = [1, 130];
/** Signals that end the process, and the exit codes that shells give them. */
const ENDING = { SIGHUP: 129, SIGQUIT: 131, SIGTERM: 143 } as const;
/** How long the end may take before the process is ended all the same, however often it is asked for. */
const MAX_END_MS = 10_000;

/** Listens for signals to the end of the process. */
export function listenForInterrupts(host: Host): Interrupts {
  let current = new AbortController();
  let ending: { readonly reason: string; readonly exitCode: number } | undefined;
  const end = (reason: string, exitCode: number): void => {
    if (ending !== undefined) return;
    ending = { reason, exitCode };
    current.abort(new Error(reason));
    setTimeout(() => host.exit(exitCode), MAX_END_MS).unref();
  };
  host.on("SIGINT", () => {
    if (current.signal.aborted) end("stopped by Ctrl-C", EXIT_INTERRUPTED);
    current.abort(new Error("stopped by Ctrl-C"));
  });
  for (const [signal, exitCode] of Object.entries(ENDING)) {
    host.on(signal, () => end(`stopped by ${signal}`, exitCode));
  }
  // The reader of the output may stop reading, as `head` does; a terminal may go away.
  for (const stream of [host.stdout, host.stderr]) {
    stream.on("error", () => end("nobody reads the output", EXIT_INTERRUPTED));
  }
  host.on("uncaughtException", (error) => {
    host.stderr.write(`${inspect(error)}\n`);
    end(`an unexpected error: ${error.message}`, EXIT_FAILED);
  });
  return {
    get exitCode() {
      return ending?.exitCode;
    },
    end,
    async during(work) {
      try {
        return await work(current.signal);
      } finally {
        current = new AbortController();
        if (ending !== undefined) current.abort(new Error(ending.reason));
      }
    },
  };
}

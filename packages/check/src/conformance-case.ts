import { thrownMessage } from "@dispatch/tools-interface/internal";
import { watchProcess, drainEventLoop } from "./process-watch.ts";

/** One thing that is asked of every tool. */
export interface ConformanceCase {
  /** The topic of the case: `definition`, `providers`, `parameters` or `calls`. */
  readonly topic: string;
  /** The requirement. No two cases of a tool have one name. */
  readonly name: string;
  /** Runs the case. Rejects with an `Error` that names the expectation and the value found. */
  readonly run: () => Promise<void>;
}

/** Fails a case: `expected`, `found`. */
export function expectOf(isSo: boolean, expected: string, found: string): void {
  if (!isSo) throw new Error(`expected ${expected}, found ${found}`);
}

/** A case that runs `body`. It fails on an error of `body`, and on any unhandled error or rejection. */
export function conformanceCase(topic: string, name: string, body: () => unknown): ConformanceCase {
  return Object.freeze({
    topic,
    name,
    async run(): Promise<void> {
      const watch = watchProcess();
      try {
        await body();
        await drainEventLoop();
      } catch (error) {
        throw new Error(`${name}: ${thrownMessage(error)}`, { cause: error });
      } finally {
        watch.end();
      }
      const unhandled = watch.end();
      if (unhandled.length > 0) {
        throw new Error(`${name}: expected nothing that nobody handles, found ${thrownMessage(unhandled[0])}`);
      }
    },
  });
}

import { thrownMessage } from "../error/tool-error.ts";
import { watchProcess, drainEventLoop } from "./process-watch.ts";

/** One thing that is asked of every tool. */
export interface ConformanceCase {
  /** What the case has to do with: `definition`, `providers`, `parameters` or `calls`. */
  readonly topic: string;
  /** What is asked. No two cases of a tool have one name. */
  readonly name: string;
  /** Runs the case. Rejects with an `Error` that says what was expected and what was found. */
  readonly run: () => Promise<void>;
}

/** Fails a case: `expected`, `found`. */
export function expectOf(isSo: boolean, expected: string, found: string): void {
  if (!isSo) throw new Error(`expected ${expected}, found ${found}`);
}

/** A case of what `body` does and checks. Nothing that nobody handles may come of it, or the case fails. */
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

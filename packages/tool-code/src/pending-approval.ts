import { failure, ToolError, type ToolFailure } from "@dispatch/tools-interface";
import type { CodeOutcome } from "./code-outcome.ts";

const CODE = "approval_pending";

/** Time in which more calls of the same moment may come. */
const QUIET_MS = 50;

/**
 * Ends a program that calls a tool for which a person will be asked later. The program is run again when its call is
 * dispatched again, so it must not go on as if it had been refused.
 */
export class PendingApproval {
  readonly #controller = new AbortController();
  readonly #waiting: string[] = [];
  #running = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Aborts when the program has to end: nothing else that it called is under way. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Makes a call. Never settles when it waits for a person. */
  async around(call: () => Promise<unknown>): Promise<unknown> {
    this.#running += 1;
    try {
      return await call();
    } catch (error) {
      if (!ToolError.isInstance(error) || error.code !== CODE) throw error;
      this.#waiting.push(error.message);
    } finally {
      this.#running -= 1;
      if (this.#waiting.length > 0) this.#end();
    }
    return new Promise(() => {});
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#running === 0) this.#controller.abort();
    }, QUIET_MS);
  }

  /** The result of a program ended for that reason. It counts as not run: its calls are recorded separately. */
  result({ error }: CodeOutcome): ToolFailure | undefined {
    clearTimeout(this.#timer);
    if (error?.kind !== "aborted" || this.#waiting.length === 0) return undefined;
    return failure(
      `The program waits: ${this.#waiting.join("; ")}. Then it runs again, and its earlier calls get the same answers`,
      { code: CODE, effects: "none" },
    );
  }
}

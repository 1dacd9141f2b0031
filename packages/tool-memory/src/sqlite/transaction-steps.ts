import type { ThreadClient } from "./thread-client.ts";
import type { Step } from "./thread-request.ts";

/**
 * Sends the steps of transactions to the thread, one message after the other. A step whose answer is not needed waits for the
 * next one and crosses over with it.
 */
export class TransactionSteps {
  readonly #thread: ThreadClient;
  #held: readonly Step[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #isBegun = false;

  constructor(thread: ThreadClient) {
    this.#thread = thread;
  }

  /** Begins a unit of work, with its first statement. */
  begin(): void {
    this.#held = [{ op: "begin" }];
    this.#isBegun = false;
  }

  /** Runs a step whose answer is not needed, at the latest with the commit. At most one such step is held. */
  async hold(step: Step): Promise<void> {
    const last = this.#held.at(-1);
    if (last !== undefined && last.op !== "begin") await this.flush();
    this.#held = [...this.#held, step];
  }

  /** Runs the steps held, then this one, and resolves to its answer. After a step that fails, those after it do not run. */
  send<Value>(step: Step): Promise<Value> {
    const steps = [...this.#held, step];
    this.#held = [];
    return this.#post<Value>(steps);
  }

  /** Runs the steps held. */
  async flush(): Promise<void> {
    const steps = this.#held;
    this.#held = [];
    if (steps.length > 0) await this.#post(steps);
  }

  /** Reverses the unit of work. Resolves to whether the units before it still stand. */
  async undo(): Promise<boolean> {
    this.#held = [];
    return this.#isBegun ? this.#post<boolean>([{ op: "undo" }]) : true;
  }

  #post<Value>(steps: readonly Step[]): Promise<Value> {
    this.#isBegun = true;
    // A message that waits for other processes must not be overtaken by the next one.
    const answer = this.#last.then(() => this.#thread.call<Value>({ op: "steps", steps }));
    this.#last = answer.catch(() => undefined);
    return answer;
  }
}

import type { ThreadClient } from "./thread-client.ts";
import type { Step } from "./thread-request.ts";

/** A step that waits, and the use for its answer, if any. */
interface Held {
  readonly step: Step;
  readonly use?: (answer: unknown) => void;
}

/**
 * Sends the steps of transactions to the thread, one message after the other. A step whose answer is not needed at once waits for
 * the next one and crosses over with it.
 */
export class TransactionSteps {
  readonly #thread: ThreadClient;
  #held: readonly Held[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #isBegun = false;

  constructor(thread: ThreadClient) {
    this.#thread = thread;
  }

  /** Begins a unit of work, with its first statement. */
  begin(): void {
    this.#held = [{ step: { op: "begin" } }];
    this.#isBegun = false;
  }

  /**
   * Runs a step whose answer is not needed at once, at the latest with the commit. At most one such step is held.
   *
   * @param use receives the answer when it comes.
   */
  async hold(step: Step, use?: (answer: unknown) => void): Promise<void> {
    const last = this.#held.at(-1);
    if (last !== undefined && last.step.op !== "begin") await this.flush();
    this.#held = [...this.#held, use === undefined ? { step } : { step, use }];
  }

  /** Runs the steps held, then this one, and resolves to its answer. After a step that fails, those after it do not run. */
  send<Value>(step: Step): Promise<Value> {
    const held = [...this.#held, { step }];
    this.#held = [];
    return this.#post<Value>(held);
  }

  /** Runs the steps held. */
  async flush(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    if (held.length > 0) await this.#post(held);
  }

  /** Reverses the unit of work. Resolves to whether the units before it still stand. */
  async undo(): Promise<boolean> {
    this.#held = [];
    return this.#isBegun ? this.#post<boolean>([{ step: { op: "undo" } }]) : true;
  }

  async #post<Value>(held: readonly Held[]): Promise<Value> {
    this.#isBegun = true;
    const steps = held.map(({ step }) => step);
    // A message that waits for other processes must not be overtaken by the next one.
    const answer = this.#last.then(() => this.#thread.call<readonly unknown[]>({ op: "steps", steps }));
    this.#last = answer.catch(() => undefined);
    const answers = await answer;
    for (const [at, { use }] of held.entries()) use?.(answers[at]);
    return answers.at(-1) as Value;
  }
}

import type { Query } from "../database/database.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import type { Step } from "./sqlite-engine.ts";
import type { ThreadClient } from "./thread-client.ts";

/** Maximum number of transactions that are committed together. */
const MAX_TOGETHER = 64;

interface Waiting {
  /** Whether it runs outside of any transaction. */
  readonly isAlone: boolean;
  /** Does the work and returns the function that resolves the caller's promise. Rejects when the work failed. */
  readonly run: () => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/** A step that waits, and the use for its answer, if any. */
interface Held {
  readonly step: Step;
  readonly use?: (answer: unknown) => void;
}

/**
 * Runs transactions one after the other. Those that wait already are committed together, so that the disk is waited for
 * once; each is acknowledged when its commit is on disk, and one that fails is undone by itself.
 */
export class TransactionQueue {
  readonly #thread: ThreadClient;
  readonly #waiting: Waiting[] = [];
  #isRunning = false;
  /** Steps whose answers are not needed at once: they wait for the next one and cross over with it. */
  #held: readonly Held[] = [];
  #last: Promise<unknown> = Promise.resolve();
  /** Whether a step of the present unit of work was sent. */
  #isBegun = false;

  constructor(thread: ThreadClient) {
    this.#thread = thread;
  }

  /** Runs `work` in a transaction. It fails if one of its statements does. */
  transaction<Result>(work: (tx: Query) => Promise<Result>): Promise<Result> {
    return this.#enqueue(false, async () => {
      const result = await this.#runUnit(work);
      return () => result;
    });
  }

  /** Does a write in a transaction, all of it in the thread. */
  perform(work: object): Promise<unknown> {
    return this.#enqueue(false, async () => {
      let result: unknown;
      await this.#hold({ op: "write", work }, (answer) => (result = answer));
      return () => result;
    });
  }

  /** Runs `work` while there is no transaction. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#enqueue(true, async () => {
      const result = await work();
      return () => result;
    });
  }

  /** @param work resolves to a function that gives the result once the commit is on disk. */
  #enqueue<Result>(isAlone: boolean, work: () => Promise<() => Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const run = async () => {
        const toResult = await work();
        return () => resolve(toResult());
      };
      this.#waiting.push({ isAlone, run, reject });
      if (!this.#isRunning) void this.#drain();
    });
  }

  async #runUnit<Result>(work: (tx: Query) => Promise<Result>): Promise<Result> {
    let failure: { readonly error: unknown } | undefined;
    let isEnded = false;
    const call = async <Value>(send: () => Promise<Value>): Promise<Value> => {
      if (isEnded) throw new Error("Cannot run a statement: its transaction has ended");
      try {
        return await send();
      } catch (error) {
        failure ??= { error };
        throw error;
      }
    };
    try {
      const result = await work({
        dialect: sqliteDialect,
        query: (text, params = []) => call(() => this.#send({ op: "run", text, params })),
        change: (changes) => call(() => this.#hold({ op: "change", changes })),
      });
      if (failure !== undefined) throw failure.error;
      return result;
    } finally {
      isEnded = true;
    }
  }

  async #drain(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      if (this.#waiting[0]?.isAlone === true) await this.#runAlone();
      else await this.#runTogether();
    }
    this.#isRunning = false;
  }

  async #runAlone(): Promise<void> {
    const next = this.#waiting.shift();
    await next?.run().then(
      (acknowledge) => acknowledge(),
      (error: unknown) => next.reject(error),
    );
  }

  async #runTogether(): Promise<void> {
    const done: (Waiting & { readonly acknowledge: () => void })[] = [];
    let isCommitted = false;
    try {
      for (let count = 1; count <= MAX_TOGETHER && !isCommitted; count++) {
        const next = this.#waiting[0];
        if (next === undefined || next.isAlone) break;
        this.#waiting.shift();
        try {
          this.#begin();
          const acknowledge = await next.run();
          const isLast = count === MAX_TOGETHER || this.#waiting[0]?.isAlone !== false;
          await (isLast ? this.#send({ op: "commit" }) : this.#flush());
          done.push({ ...next, acknowledge });
          isCommitted = isLast;
        } catch (error) {
          next.reject(error);
          if (!(await this.#undo())) throw error;
        }
      }
      // The last one failed, and was undone.
      if (!isCommitted) await this.#send({ op: "commit" });
    } catch (error) {
      for (const { reject } of done) reject(error);
      return;
    }
    for (const { acknowledge } of done) acknowledge();
  }

  /** Begins a unit of work, with its first statement. */
  #begin(): void {
    this.#held = [{ step: { op: "begin" } }];
    this.#isBegun = false;
  }

  /**
   * Runs a step whose answer is not needed at once, at the latest with the commit. At most one such step is held.
   *
   * @param use receives the answer when it comes.
   */
  async #hold(step: Step, use?: (answer: unknown) => void): Promise<void> {
    const last = this.#held.at(-1);
    if (last !== undefined && last.step.op !== "begin") await this.#flush();
    this.#held = [...this.#held, use === undefined ? { step } : { step, use }];
  }

  /** Runs the steps held, then this one, and resolves to its answer. After a step that fails, those after it do not run. */
  #send<Value>(step: Step): Promise<Value> {
    const held = [...this.#held, { step }];
    this.#held = [];
    return this.#post<Value>(held);
  }

  /** Runs the steps held. */
  async #flush(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    if (held.length > 0) await this.#post(held);
  }

  /** Reverses the unit of work. Resolves to whether the units before it still stand. */
  async #undo(): Promise<boolean> {
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

import type { StepQueues } from "./step-queues.ts";

/** Settings of the watch over steps that nobody does. */
interface TakeoverOptions {
  /** Longest time between two looks, in milliseconds. Default 2,000. */
  readonly everyMs?: number | undefined;
  /** Whether this process does a step, or waits for it. */
  readonly isKnown: (key: string) => boolean;
}

/**
 * Watches for steps that nobody does: those of processes that died, and those that DBOS took for this process without
 * running them, because its connection ended after the commit and before the answer.
 */
export class Takeover {
  readonly #queues: StepQueues;
  readonly #outside: (work: () => Promise<void>) => Promise<void>;
  readonly #everyMs: number;
  readonly #isKnown: (key: string) => boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stranded: ReadonlySet<string> = new Set();
  #isStopped = false;

  /** @param outside Runs a function outside of every workflow. */
  constructor(
    queues: StepQueues,
    outside: (work: () => Promise<void>) => Promise<void>,
    { everyMs = 2_000, isKnown }: TakeoverOptions,
  ) {
    this.#queues = queues;
    this.#outside = outside;
    this.#everyMs = everyMs;
    this.#isKnown = isKnown;
  }

  /** Looks from now on. */
  start(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#look(), this.#everyMs * (0.5 + Math.random() / 2));
    this.#timer.unref();
  }

  /** Looks no more. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** A look that the database does not answer is left out: the next one comes. */
  async #look(): Promise<void> {
    const looks = [() => this.#restoreQueue(), () => this.#queues.takeOver(), () => this.#releaseStranded()];
    for (const look of looks) await look().catch(() => undefined);
    this.start();
  }

  async #restoreQueue(): Promise<void> {
    if (!(await this.#queues.hasOwn())) await this.#outside(() => this.#queues.registerOwn());
  }

  /** Two looks in a row, because a step that DBOS has just taken is not known here yet. */
  async #releaseStranded(): Promise<void> {
    const unknown = (await this.#queues.taken()).filter((key) => !this.#isKnown(key));
    for (const key of unknown) if (this.#stranded.has(key) && !this.#isKnown(key)) await this.#queues.release(key);
    this.#stranded = new Set(unknown);
  }
}

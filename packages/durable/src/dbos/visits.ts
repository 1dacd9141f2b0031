import type { JsonValue } from "@dispatch/tools-interface";
import type { DurableWorker, StepEnd } from "../durable-engine.ts";

/** How long a step may wait here for somebody who can do it, in milliseconds. */
const HOLD_MS = 2_000;

/** A step that DBOS gave to this process: somebody else submitted it, or had begun it and died. */
export interface Visit {
  readonly key: string;
  readonly intent: JsonValue;
  /** Whether it had begun before. */
  readonly hadBegun: boolean;
  /** Records that it begins, and answers the intent if it had begun before. */
  begin(): Promise<JsonValue | undefined>;
  /** Ends it. */
  end(end: StepEnd): void;
  /** Gives it to other processes. */
  giveBack(): void;
}

interface Serving {
  readonly worker: DurableWorker;
  readonly active: Map<string, Promise<void>>;
  isStopped: boolean;
}

/** The steps that DBOS gave to this process, until they are done by who calls `run`, or by a worker. */
export class Visits {
  readonly #visits = new Map<string, Visit>();
  readonly #serving = new Set<Serving>();

  /** The visit of a step, if there is one. */
  get(key: string): Visit | undefined {
    return this.#visits.get(key);
  }

  /** Offers a visit to the workers of this process. */
  add(visit: Visit): void {
    this.#visits.set(visit.key, visit);
    this.#offer();
    setTimeout(() => {
      const isHandled = [...this.#serving].some(({ active }) => active.has(visit.key));
      if (this.#visits.get(visit.key) === visit && !isHandled) visit.giveBack();
    }, HOLD_MS).unref();
  }

  /** The step has ended, or is not here any more. */
  delete(visit: Visit): void {
    if (this.#visits.get(visit.key) === visit) this.#visits.delete(visit.key);
  }

  /** Gives steps to a worker. */
  serve(worker: DurableWorker): () => Promise<void> {
    const serving: Serving = { worker, active: new Map(), isStopped: false };
    this.#serving.add(serving);
    this.#offer();
    return async () => {
      serving.isStopped = true;
      this.#serving.delete(serving);
      await Promise.all(serving.active.values());
    };
  }

  #offer(): void {
    for (const serving of this.#serving) for (const visit of this.#visits.values()) this.#give(serving, visit);
  }

  #give({ worker, active, isStopped }: Serving, visit: Visit): void {
    const { key, intent } = visit;
    const { maxConcurrency = 8 } = worker;
    if (isStopped || active.size >= maxConcurrency || active.has(key) || !worker.accepts(intent)) return;
    const handled = worker
      .handle(key, intent)
      .catch(() => undefined)
      .finally(() => {
        active.delete(key);
        // It could not be done here yet.
        if (this.#visits.get(key) === visit) visit.giveBack();
        this.#offer();
      });
    active.set(key, handled);
  }
}

import type { JsonValue } from "@dispatch/tools-interface";
import type { DurableWorker } from "./durable-engine.ts";

/** The workers of this process, and the steps that each of them does. */
export class StepWorkers<Step extends { readonly key: string; readonly intent: JsonValue }> {
  readonly #open: () => Iterable<Step>;
  readonly #onHandled: (step: Step) => void;
  readonly #serving = new Set<{ readonly worker: DurableWorker; readonly active: Map<string, Promise<void>> }>();

  /**
   * @param open The steps that may be done now.
   * @param onHandled Called when a worker has let go of a step, done or not.
   */
  constructor(open: () => Iterable<Step>, onHandled: (step: Step) => void = () => {}) {
    this.#open = open;
    this.#onHandled = onHandled;
  }

  /** Gives steps to a worker from now on. The answer stops that, and resolves when those that were given have ended. */
  serve(worker: DurableWorker): () => Promise<void> {
    const serving = { worker, active: new Map<string, Promise<void>>() };
    this.#serving.add(serving);
    this.offer();
    return async () => {
      this.#serving.delete(serving);
      await Promise.all(serving.active.values());
    };
  }

  /** Whether a worker does a step. */
  isDoing(key: string): boolean {
    return [...this.#serving].some(({ active }) => active.has(key));
  }

  /** Gives the open steps to those workers that take them. */
  offer(): void {
    for (const { worker, active } of this.#serving) {
      for (const step of this.#open()) {
        const { key, intent } = step;
        if (active.size >= (worker.maxConcurrency ?? 8)) break;
        if (active.has(key) || !worker.accepts(intent)) continue;
        const handled = worker
          .handle(key, intent)
          .catch(() => undefined)
          .finally(() => {
            active.delete(key);
            this.#onHandled(step);
            this.offer();
          });
        active.set(key, handled);
      }
    }
  }
}

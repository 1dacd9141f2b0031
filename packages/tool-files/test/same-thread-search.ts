import { EventEmitter } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import threads, { type WorkerOptions } from "node:worker_threads";
import { afterAll, beforeAll } from "vitest";
import { searchFiles, type SearchWork } from "../src/search/file-search.ts";

const { Worker } = threads;
/**
 * Does the work of a search thread in the thread of the caller. Messages are copied in both directions all the same.
 */
class SameThread extends EventEmitter {
  #messages = 0;

  postMessage({ request }: { readonly request: SearchWork }): void {
    this.#messages += 1;
    const number = this.#messages;
    void searchFiles(structuredClone(request)).then((value) => {
      this.emit("message", structuredClone({ value }));
      // No other test gets it from the pool.
      if (this.#messages === number) this.emit("exit");
    });
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  async terminate(): Promise<void> {}
}

/**
 * Starts no search threads for the tests of a file, which make many small searches: starting one takes fifty times as
 * long as such a search. `search-thread.test.ts` has the threads.
 */
export function searchInSameThread(): void {
  const replace = (made: unknown): void => {
    Object.assign(threads, { Worker: made });
    syncBuiltinESMExports();
  };
  beforeAll(() => {
    replace(function StartedWorker(program: URL, options: WorkerOptions): object {
      if (options.name !== "searchFiles") return new Worker(program, options);
      return new SameThread();
    });
  });
  afterAll(() => replace(Worker));
}

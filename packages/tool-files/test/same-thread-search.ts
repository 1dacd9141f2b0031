import { EventEmitter } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import threads, { type WorkerOptions } from "node:worker_threads";
import { afterAll, beforeAll } from "vitest";
import { FileSearch, type FileSearchSettings } from "../src/search/file-search.ts";

const { Worker } = threads;

/** Does the work of a search thread in the thread of whoever asks. What goes in and comes out is copied all the same. */
class SameThread extends EventEmitter {
  readonly #search: FileSearch;

  constructor(settings: FileSearchSettings) {
    super();
    this.#search = new FileSearch(structuredClone(settings));
  }

  postMessage(paths: readonly string[]): void {
    void this.#search.searchPaths(paths).then((found) => this.emit("message", structuredClone(found)));
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  async terminate(): Promise<void> {
    this.#search.close();
  }
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
      if (!program.pathname.includes("/search-worker.")) return new Worker(program, options);
      return new SameThread(options.workerData as FileSearchSettings);
    });
  });
  afterAll(() => replace(Worker));
}

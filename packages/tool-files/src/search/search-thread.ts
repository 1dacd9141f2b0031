import { Worker } from "node:worker_threads";
import type { FileSearchSettings, SearchedPaths } from "./file-search.ts";

/** A thread that searches files, one list of them at a time. */
export class SearchThread {
  readonly #worker: Worker;
  #failure: unknown;

  constructor(workerData: FileSearchSettings) {
    const source = import.meta.url.endsWith(".ts");
    this.#worker = new Worker(new URL(`./search-worker.${source ? "ts" : "js"}`, import.meta.url), {
      workerData,
      env: {},
      execArgv: source ? ["--conditions=@dispatch/source"] : [],
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    this.#worker.unref();
    this.#worker.on("error", (error) => (this.#failure ??= error));
  }

  /** Searches files in their order. */
  search(paths: readonly string[], signal: AbortSignal): Promise<SearchedPaths> {
    return new Promise((resolve, reject) => {
      const abort = () => settle(() => reject(signal.reason));
      const answered = (answer: SearchedPaths) => settle(() => resolve(answer));
      const failed = (error: unknown) => settle(() => reject(error));
      const exited = () => failed(this.#failure ?? new Error("the search thread ended"));
      const settle = (act: () => void) => {
        signal.removeEventListener("abort", abort);
        this.#worker.off("message", answered).off("error", failed).off("exit", exited).unref();
        act();
      };
      signal.addEventListener("abort", abort);
      this.#worker.once("message", answered).once("error", failed).once("exit", exited).ref();
      if (signal.aborted) abort();
      else if (this.#failure !== undefined) exited();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      else this.#worker.postMessage(paths);
    });
  }

  /** Ends it, also in the middle of a match. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

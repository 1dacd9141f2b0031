import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { CodeAnswer, CodeFile } from "./code-worker.ts";

/** A thread that looks into one file at a time, away from the event loop, and is ended with the memory it took. */
export class CodeThread {
  #worker: Worker | undefined;

  /** Rejects when the signal aborts, and when the thread broke, which the next file gets another one for. */
  async look(file: CodeFile, signal: AbortSignal): Promise<CodeAnswer> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    try {
      const answered = once(worker, "message", { signal });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(file);
      const [answer] = (await answered) as [CodeAnswer];
      return answer;
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL("code-worker.ts", import.meta.url), { env: {}, execArgv: [] });
    // Also when it breaks between two files, which nobody waits for.
    return worker.on("error", () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
  }

  /** Ends it, also in the middle of a file. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

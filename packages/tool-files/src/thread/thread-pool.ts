import type { Worker } from "node:worker_threads";
import { startThread, type ThreadProgram } from "./start-thread.ts";

/** Milliseconds for which a thread without work is kept: models think for seconds between two calls, and a start takes 100 ms or more. */
const IDLE_MS = 30_000;
/** Megabytes of memory a thread may take. */
const MEMORY_MB = 1024;

/** Settings of a {@link ThreadPool}. */
export interface ThreadPoolOptions {
  /** The program that answers requests. */
  readonly program: ThreadProgram;
  /** Threads at a time. Further work waits. */
  readonly maxThreads: number;
}

interface Work<Request, Answer> {
  readonly request: Request;
  readonly signal: AbortSignal;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  readonly abort: () => void;
}

/**
 * Threads that answer one request at a time each. They are started when they are needed, end after half a minute
 * without work, and never keep the process alive. A request whose signal aborts ends its thread at once, even in the
 * middle of work.
 */
export class ThreadPool<Request, Answer> {
  readonly #options: ThreadPoolOptions;
  readonly #waiting: Work<Request, Answer>[] = [];
  readonly #idle: { readonly thread: Worker; readonly leave: NodeJS.Timeout }[] = [];
  #threads = 0;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  /** Has a thread answer a request. Rejects with the signal's reason when that aborts. */
  run(request: Request, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        const index = this.#waiting.findIndex((work) => work.abort === abort);
        if (index !== -1) this.#waiting.splice(index, 1);
        reject(signal.reason);
      };
      if (signal.aborted) return abort();
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.push({ request, signal, resolve, reject, abort });
      this.#next();
    });
  }

  #next(): void {
    const [work] = this.#waiting;
    if (work === undefined || (this.#idle.length === 0 && this.#threads >= this.#options.maxThreads)) return;
    this.#waiting.shift();
    const idle = this.#idle.pop();
    work.signal.removeEventListener("abort", work.abort);
    if (idle !== undefined) {
      clearTimeout(idle.leave);
      return this.#give(idle.thread, work);
    }
    this.#threads += 1;
    const { program } = this.#options;
    startThread(program, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } }).then(
      (thread) => this.#give(thread, work),
      (error: unknown) => {
        this.#threads -= 1;
        work.reject(error);
        this.#next();
      },
    );
  }

  #give(thread: Worker, { request, signal, resolve, reject }: Work<Request, Answer>): void {
    let failure: unknown;
    const settle = (act: () => void, alive: boolean) => {
      signal.removeEventListener("abort", abort);
      thread.removeAllListeners().on("error", () => {});
      if (alive) this.#rest(thread);
      else this.#end(thread);
      act();
      this.#next();
    };
    const abort = () => settle(() => reject(signal.reason), false);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    thread
      .removeAllListeners()
      .on("error", (error) => (failure ??= error))
      .once("exit", () => settle(() => reject(failure ?? new Error("the thread ended")), false))
      .once("message", (answer: Answer) => settle(() => resolve(answer), true))
      .ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(request);
  }

  #rest(thread: Worker): void {
    thread.unref();
    const remove = () => {
      clearTimeout(leave);
      const index = this.#idle.findIndex((idle) => idle.thread === thread);
      if (index !== -1) this.#idle.splice(index, 1);
      return index !== -1;
    };
    const leave = setTimeout(() => {
      if (remove()) this.#end(thread);
    }, IDLE_MS).unref();
    this.#idle.push({ thread, leave });
    thread.removeAllListeners().on("error", () => {});
    thread.once("exit", () => {
      if (remove()) this.#threads -= 1;
    });
  }

  #end(thread: Worker): void {
    this.#threads -= 1;
    void thread.terminate();
  }
}

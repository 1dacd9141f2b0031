import { Worker } from "node:worker_threads";
import { toMemoryError } from "./sqlite-error.ts";
import type { Answer, Location, Request } from "./thread-request.ts";

/** Node 22 and 24 call SQLite experimental. Deno and Bun do not know the flag. */
const QUIET = "deno" in process.versions || "bun" in process.versions ? [] : ["--disable-warning=ExperimentalWarning"];

/** The thread that has a database open. It keeps the process alive only while it works. */
export class ThreadClient {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: unknown) => void }>();
  #failure: unknown;
  #last = 0;

  private constructor(program: URL | string, location: Location) {
    const isText = typeof program === "string";
    this.#worker = new Worker(program, {
      workerData: location,
      env: {},
      eval: isText,
      execArgv: [...QUIET, ...(isText ? [] : ["--conditions=@dispatch/source"])],
    });
    this.#worker.unref();
    this.#worker.on("message", (answer: Answer) => this.#settle(answer));
    this.#worker.on("error", (error) => (this.#failure ??= error));
    this.#worker.on("exit", () => this.#lose());
  }

  /** Starts a thread. In the published package its program is a text, which a bundler leaves as it is. */
  static async start(location: Location): Promise<ThreadClient> {
    const program = async (): Promise<URL | string> => new URL("./sqlite-worker.ts", import.meta.url);
    return new ThreadClient(await program(), location);
  }

  /** Sends a request. Rejects with a `MemoryError` when the database refuses it for a reason that the caller can mend. */
  call<Value>(request: Request): Promise<Value> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(toMemoryError(this.#failure));
        return;
      }
      const id = ++this.#last;
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(id, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#worker.postMessage({ id, request });
    });
  }

  /** Ends the thread. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(answer: Answer): void {
    const call = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ("value" in answer) call?.resolve(answer.value as never);
    else call?.reject(toMemoryError(Object.assign(new Error(answer.error.message), { code: answer.error.code })));
  }

  #lose(): void {
    this.#failure ??= new Error("the thread that has the memory open has ended");
    for (const call of this.#waiting.values()) call.reject(toMemoryError(this.#failure));
    this.#waiting.clear();
  }
}

import { Worker } from "node:worker_threads";
import { MemoryError, type MemoryErrorCode } from "../text/memory-error.ts";
import type { Answer, Location, Request } from "./sqlite-engine.ts";

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

/** The errors that a caller sees for SQLite's result codes and for those of the thread. */
const meanings: Readonly<Record<number | string, readonly [code: MemoryErrorCode, text: string]>> = {
  5: [
    "memory_locked",
    "Cannot use the memory: another process has had it locked for a minute, nothing was changed; try again when that has ended",
  ],
  8: [
    "memory_read_only",
    "Cannot change the memory: it is on a read-only file system or may not be written, allowed is reading; make the directory writable, or copy it to one that is",
  ],
  10: [
    "memory_storage",
    "Cannot keep the memory: the disk did not take what was written or read, nothing was changed; check the disk, then try again",
  ],
  11: [
    "memory_damaged",
    "Cannot use the memory: its file is damaged; restore a backup, or export what can still be read and import it into a new directory",
  ],
  13: ["memory_storage", "Cannot keep the memory: the disk is full, nothing was changed; make room, then try again"],
  replaced: [
    "memory_storage",
    "Cannot keep the memory: its file was deleted, moved or replaced while it was open, nothing was changed; keep what is needed with export(), then close the memory and open it again",
  ],
  14: [
    "memory_storage",
    "Cannot open the memory: its file cannot be opened or created, allowed is a directory that this user may write; check its owner and permissions",
  ],
};
/** 4874: the write-ahead log's index cannot grow. */
const synonyms: Readonly<Record<string, number>> = { 6: 5, 26: 11, 4874: 13, damaged: 11 };

/** The error that a caller sees for an error of the thread. Other errors are faults of this package and stay as they are. */
function toMemoryError(error: unknown): unknown {
  if (MemoryError.isInstance(error)) return error;
  const { code, message } = error as { readonly code?: number | string; readonly message: string };
  if (code === "ERR_UNKNOWN_BUILTIN_MODULE" || message === "no such module: fts5") {
    return new MemoryError(
      `Cannot open the memory: Node.js ${process.versions.node} has no SQLite that searches text, allowed are 22.16 and newer for a directory or :memory:; use a newer one, or a postgres: URL`,
      "memory_driver",
      error,
    );
  }
  if (code === "other_version") return new MemoryError(`Cannot use the memory: ${message}`, "memory_version", error);
  // The low byte is the result code, the rest says more about it.
  const result = typeof code === "number" && !(code in synonyms) ? code & 0xff : (code ?? "");
  const meaning = meanings[synonyms[result] ?? result];
  return meaning === undefined ? error : new MemoryError(meaning[1], meaning[0], error);
}

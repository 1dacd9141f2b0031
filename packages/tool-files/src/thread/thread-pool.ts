import { Worker } from "node:worker_threads";
import { BinaryFileError, FilesError, SandboxError } from "../error/files-error.ts";
import type { JobAnswer, JobName, JobRequest, JobResult } from "./thread-worker.ts";

/** Milliseconds for which a thread without work is kept: models think for seconds between two calls, and a start takes 100 ms or more. */
const IDLE_MS = 30_000;
/** Megabytes of memory a thread may take. */
const MEMORY_MB = 1024;

/** The URL of the source of the threads' program, or in the published package its text with all that it imports. */
const program = async (): Promise<URL | string> => new URL("./thread-worker.ts", import.meta.url);

interface Work {
  readonly message: { readonly name: JobName; readonly request: unknown };
  readonly signal: AbortSignal;
  readonly resolve: (answer: JobAnswer) => void;
  readonly reject: (error: unknown) => void;
  readonly abort: () => void;
}

/**
 * Threads that do one job at a time each. They are started when they are needed, end after half a minute
 * without work, and never keep the process alive. A request whose signal aborts ends its thread at once, even in the
 * middle of work.
 */
export class ThreadPool {
  readonly #maxThreads: number;
  readonly #waiting: Work[] = [];
  readonly #idle: { readonly thread: Worker; readonly leave: NodeJS.Timeout }[] = [];
  #threads = 0;

  /** @param maxThreads - Threads at a time. Further work waits. */
  constructor(maxThreads: number) {
    this.#maxThreads = maxThreads;
  }

  /**
   * Has a thread do a job. Rejects with the signal's reason when that aborts.
   *
   * @throws {FilesError} As the job does.
   */
  async run<Name extends JobName>(
    name: Name,
    request: JobRequest<Name>,
    signal: AbortSignal,
  ): Promise<JobResult<Name>> {
    return answeredValue(await this.#answer({ name, request }, signal)) as JobResult<Name>;
  }

  #answer(message: Work["message"], signal: AbortSignal): Promise<JobAnswer> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        const index = this.#waiting.findIndex((work) => work.abort === abort);
        if (index !== -1) this.#waiting.splice(index, 1);
        reject(signal.reason);
      };
      if (signal.aborted) return abort();
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.push({ message, signal, resolve, reject, abort });
      this.#next();
    });
  }

  #next(): void {
    const [work] = this.#waiting;
    if (work === undefined || (this.#idle.length === 0 && this.#threads >= this.#maxThreads)) return;
    this.#waiting.shift();
    const idle = this.#idle.pop();
    work.signal.removeEventListener("abort", work.abort);
    if (idle !== undefined) {
      clearTimeout(idle.leave);
      return this.#give(idle.thread, work);
    }
    this.#threads += 1;
    startThread(work.message.name).then(
      (thread) => this.#give(thread, work),
      (error: unknown) => {
        this.#threads -= 1;
        work.reject(error);
        this.#next();
      },
    );
  }

  #give(thread: Worker, { message, signal, resolve, reject }: Work): void {
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
      .once("message", (answer: JobAnswer) => settle(() => resolve(answer), true))
      .ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(message);
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

/** Starts a thread, which debuggers show by the name of its first job. It gets nothing of the host's environment. */
async function startThread(name: JobName): Promise<Worker> {
  const found = await program();
  const isText = typeof found === "string";
  return new Worker(found, {
    name,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    env: {},
    eval: isText,
    execArgv: isText ? [] : ["--conditions=@dispatch/source"],
  });
}

/** The result of an answer. Throws its error. */
function answeredValue(answer: JobAnswer): unknown {
  if ("value" in answer) return answer.value;
  const { code, message } = answer;
  if (code === "binary_file") throw new BinaryFileError(message);
  if (code === "protected_path" || code === "outside_worktree") throw new SandboxError(message, { code });
  throw new FilesError(message, { code });
}

import type { Worker } from "node:worker_threads";
import { BusyClock } from "../engine/busy-clock.ts";
import { findAmaro, type QuickJsEngine } from "../engine/quickjs-engine.ts";
import type { SessionMessage, SessionRequest } from "../engine/session-message.ts";
import type { ExecutorObserver, ProgramExecutor } from "./program-executor.ts";

/** Heap of a thread's own JavaScript, in MiB: the messages of a program. The sandbox's memory is not in there. */
const MAX_THREAD_HEAP_MB = 256;
/** The stack of the engine's native code lies on that of the thread, in MiB. */
const STACK_MB = 16;

/** Runs programs in a thread of their own, which can be ended at any time. */
export class ThreadExecutor implements ProgramExecutor {
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #clock = new BusyClock(new Float64Array(new SharedArrayBuffer(16)));
  #observer: ExecutorObserver | undefined;
  #run = 0;
  #alive = true;
  #outOfMemory = false;

  private constructor(program: URL | string, engine: QuickJsEngine, heapMb: number) {
    const { quickjs, encoding, structuredClone, crypto } = engine;
    const data: ThreadData = {
      engine: { quickjs, encoding, structuredClone, crypto },
      amaro: findAmaro(),
      cells: this.#clock.cells,
      heapMb,
    };
    const isText = typeof program === "string";
    // Not imported: workerd refuses to load the package without a flag for threads, though none are wanted.
    const { Worker } = process.getBuiltinModule("node:worker_threads");
    this.#worker = new Worker(program, {
      workerData: data,
      env: {},
      eval: isText,
      execArgv: isText ? [] : ["--conditions=@dispatch/source"],
      resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_HEAP_MB, stackSizeMb: STACK_MB },
    });
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on("message", (message: FromThread) => {
        if (message === "ready") {
          // From now on it does not keep the host alive, until it has a program.
          this.#worker.unref();
          return resolve();
        }
        if (message.run === this.#run) this.#observer?.onMessage(message.message);
      });
      this.#worker.on("error", (error: Error & { readonly code?: string }) => {
        this.#outOfMemory ||= error.code === "ERR_WORKER_OUT_OF_MEMORY";
        reject(error);
      });
      this.#worker.once("exit", () => {
        this.#alive = false;
        reject(new Error("the thread ended"));
        this.#observer?.onExit(this.#outOfMemory);
      });
    });
    // Callers that wait for it receive the error; an idle thread that dies is only not used.
    this.ready.catch(() => undefined);
  }

  /** Starts a thread. In the published package its program is a text, which a bundler leaves as it is. */
  static async start(engine: QuickJsEngine, heapMb: number): Promise<ThreadExecutor> {
    const program = async (): Promise<URL | string> => new URL("./program-worker.ts", import.meta.url);
    return new ThreadExecutor(await program(), engine, heapMb);
  }

  get alive(): boolean {
    return this.#alive;
  }

  run(request: SessionRequest, observer: ExecutorObserver): void {
    this.#worker.ref();
    this.#run += 1;
    this.#observer = observer;
    this.#post({ run: this.#run, request });
  }

  send(json: string): void {
    this.#post({ run: this.#run, answer: json });
  }

  busyMs(): number {
    return this.#clock.busyMs();
  }

  release(): boolean {
    this.#observer = undefined;
    this.#post({ run: this.#run, stop: true });
    this.#worker.unref();
    return this.#alive;
  }

  async kill(): Promise<void> {
    this.#alive = false;
    this.#observer = undefined;
    await this.#worker.terminate();
  }

  #post(message: ToThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(message);
  }
}

/** The data a thread starts with. */
export interface ThreadData {
  /** The engine without its function, which cannot be sent. */
  readonly engine: Omit<QuickJsEngine, "stripTypes">;
  /** The file of the package amaro: a thread loads a parser of its own. */
  readonly amaro: string;
  readonly cells: Float64Array;
  /** Memory of a sandbox that is made ahead of time, in MiB. */
  readonly heapMb: number;
}

/** A message to a thread. `run` numbers the program that it is for. */
export type ToThread =
  | { readonly run: number; readonly request: SessionRequest }
  | { readonly run: number; readonly answer: string }
  | { readonly run: number; readonly stop: true };

/** A message of a thread. The first says that it is ready. */
export type FromThread = "ready" | { readonly run: number; readonly message: SessionMessage };

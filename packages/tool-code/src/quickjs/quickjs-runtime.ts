import { checkOptions } from "@dispatch/tools-interface/internal";
import { checkCount, type CodeLimits } from "../code-limits.ts";
import { notStarted, type CodeOutcome } from "../code-outcome.ts";
import type { CodeExecution, CodeRuntime } from "../code-runtime.ts";
import type { RunPermit } from "../run/run-permit.ts";
import { RuntimePrograms } from "../run/runtime-programs.ts";
import { findAmaro, findQuickJs, loadQuickJsEngine, type QuickJsEngine } from "./engine/quickjs-engine.ts";
import type { ProgramExecutor } from "./executor/program-executor.ts";
import { QuickJsRun } from "./quickjs-run.ts";

/** Options of {@link QuickJsRuntime}. */
export interface QuickJsRuntimeOptions {
  /**
   * Whether programs run in threads of their own. Without threads a program that computes blocks the host until it waits
   * or goes over `wallMs`, and inside of one built-in function it cannot be stopped. Default true.
   */
  readonly threads?: boolean;
  /**
   * Makes the engine, where it cannot be read from the installed packages. Without threads it is called again when a program
   * has broken the parser, and must then give another one. Default: reads the packages.
   */
  readonly loadEngine?: () => Promise<QuickJsEngine>;
  /** Threads that are kept for the next program, of about 40 MiB each. A run that gets one starts in about a millisecond. Default 1. */
  readonly prewarm?: number;
  /**
   * Programs that run at a time. Further ones wait. A program that waits for a tool does not count, after a quarter of a
   * second; at most 64 do so. Default 4.
   */
  readonly maxConcurrency?: number;
  /** Limits of the executions that set none. `rssMb` is not looked at. Default `DEFAULT_CODE_LIMITS`. */
  readonly limits?: Partial<CodeLimits>;
}

const DESCRIPTION =
  "There is nothing but the language (ES2023, TypeScript) and console, timers, URL, TextEncoder, structuredClone, atob, crypto, Buffer and Node's path, util (promisify, format), events, assert and timers/promises: no network and no fetch, no files (no fs, no Deno), no processes, no other modules, no packages. Times are UTC.";

/**
 * Runs each program in QuickJS, as WebAssembly: no process, no binary, wherever JavaScript runs. A program can compute,
 * print, and call tools, and nothing else.
 *
 * @example
 * ```ts
 * const runtime = new QuickJsRuntime({ maxConcurrency: 2 });
 * const registry = registerCodeTool(createToolRegistry(), { runtime });
 * ```
 */
export class QuickJsRuntime implements CodeRuntime {
  /** The abilities of programs here, for a model. */
  readonly description = DESCRIPTION;
  readonly #options: QuickJsRuntimeOptions;
  readonly #programs: RuntimePrograms;
  readonly #prewarm: number;
  readonly #spares: ProgramExecutor[] = [];
  readonly #gone = new Set<Promise<void>>();
  #engine: Promise<QuickJsEngine> | undefined;
  #filling: Promise<void> | undefined;
  #closed = false;

  /**
   * @throws {RangeError} When a number is out of range.
   * @throws {QuickJsNotFoundError} When a package is missing that the options do not replace.
   */
  constructor(options: QuickJsRuntimeOptions = {}) {
    checkOptions("create a QuickJS runtime", options, {
      threads: true,
      loadEngine: true,
      prewarm: true,
      maxConcurrency: true,
      limits: true,
    });
    if (options.loadEngine === undefined) findQuickJs();
    else if (options.threads !== false) findAmaro();
    this.#options = options;
    this.#programs = new RuntimePrograms(options.limits, options.maxConcurrency);
    this.#prewarm = checkCount("prewarm", options.prewarm ?? 1, 0);
    this.#refill();
  }

  async execute(execution: CodeExecution): Promise<CodeOutcome> {
    try {
      return await this.#programs.admit(execution, (limits, permit) => this.#run(execution, limits, permit));
    } finally {
      setTimeout(() => this.#refill(), 0);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#programs.close();
    await this.#filling;
    for (const spare of this.#spares.splice(0)) this.#kill(spare);
    await Promise.all(this.#gone);
  }

  /** Closes the runtime at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #run(execution: CodeExecution, limits: CodeLimits, permit: RunPermit): Promise<CodeOutcome> {
    if (this.#closed) return closed();
    let executor: ProgramExecutor;
    try {
      // One that is being started comes sooner than another.
      if (this.#spares.length === 0) await this.#filling;
      executor = this.#takeSpare() ?? (await this.#start());
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return notStarted({ kind: "unavailable", message: "QuickJS did not start", reason });
    }
    if (this.#closed) {
      this.#kill(executor);
      return closed();
    }
    const run = new QuickJsRun(executor, execution, limits, permit);
    const outcome = await this.#programs.outcomeOf(run, execution.signal);
    if (run.isBroken && this.#options.threads === false) this.#engine = undefined;
    if (!this.#closed && run.isClean && this.#spares.length < this.#prewarm && executor.release())
      this.#spares.push(executor);
    else this.#kill(executor);
    return outcome;
  }

  #takeSpare(): ProgramExecutor | undefined {
    for (let spare = this.#spares.pop(); spare !== undefined; spare = this.#spares.pop()) if (spare.alive) return spare;
    return undefined;
  }

  async #start(): Promise<ProgramExecutor> {
    this.#engine ??= (this.#options.loadEngine ?? loadQuickJsEngine)();
    const engine = await this.#engine;
    const executor =
      this.#options.threads === false
        ? new (await import("./executor/inline-executor.ts")).InlineExecutor(engine, this.#programs.limits.heapMb)
        : await (
            await import("./executor/thread-executor.ts")
          ).ThreadExecutor.start(engine, this.#programs.limits.heapMb);
    await executor.ready;
    return executor;
  }

  #kill(executor: ProgramExecutor): void {
    const gone = executor.kill();
    this.#gone.add(gone);
    void gone.finally(() => this.#gone.delete(gone));
  }

  /** Starts executors until there are `prewarm` of them, idle or at work. A failure is that of the next run. */
  #refill(): void {
    if (this.#closed || this.#filling !== undefined || this.#spares.length + this.#programs.count >= this.#prewarm)
      return;
    this.#filling = this.#start()
      .then((executor) => void this.#spares.push(executor))
      .catch(() => undefined)
      .finally(() => {
        this.#filling = undefined;
      });
    void this.#filling.then(() => this.#spares.length > 0 && this.#refill());
  }
}

function closed(): CodeOutcome {
  return notStarted({ kind: "unavailable", message: "the runtime is closed" });
}

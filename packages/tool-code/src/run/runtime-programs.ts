import { checkCount, resolveCodeLimits, type CodeLimits } from "../code-limits.ts";
import { notStarted, type CodeError, type CodeOutcome } from "../code-outcome.ts";
import type { CodeExecution } from "../code-runtime.ts";
import { RunPermit } from "./run-permit.ts";
import { sizeFault, type RunningProgram } from "./running-program.ts";
import { Semaphore } from "./semaphore.ts";

/** A program that was cancelled while it waited for its turn. */
export const CANCELLED: Omit<CodeError, "stack"> = {
  kind: "aborted",
  message: "the execution was cancelled before it started",
};

type Program = Pick<RunningProgram<never>, "outcome" | "stop">;

/** The programs of one runtime: so many run at a time, further ones wait. */
export class RuntimePrograms {
  /** Limits of the executions that set none. */
  readonly limits: CodeLimits;
  readonly #semaphore: Semaphore;
  readonly #away = { count: 0 };
  readonly #running = new Set<Program>();

  /** @throws {RangeError} When a number is out of range. */
  constructor(limits: Partial<CodeLimits> | undefined, maxConcurrency = 4) {
    this.limits = resolveCodeLimits(limits);
    this.#semaphore = new Semaphore(checkCount("maxConcurrency", maxConcurrency, 1));
  }

  get count(): number {
    return this.#running.size;
  }

  /** Runs a program of an allowed size by `run`, when it is its turn. */
  async admit(
    execution: CodeExecution,
    run: (limits: CodeLimits, permit: RunPermit) => Promise<CodeOutcome>,
  ): Promise<CodeOutcome> {
    const limits = resolveCodeLimits(execution.limits, this.limits);
    const refused = sizeFault(execution.code, limits);
    if (refused !== undefined) return refused;
    if (!(await this.#semaphore.acquire(execution.signal))) return notStarted(CANCELLED);
    const permit = new RunPermit(this.#semaphore, this.#away);
    try {
      return await run(limits, permit);
    } finally {
      permit.end();
    }
  }

  /** The outcome of a program that was started. */
  async outcomeOf(program: Program, signal: AbortSignal | undefined): Promise<CodeOutcome> {
    this.#running.add(program);
    // A listener is not called for an abort that came before it.
    if (signal?.aborted) program.stop("aborted", "the execution was cancelled");
    const outcome = await program.outcome;
    this.#running.delete(program);
    return outcome;
  }

  /** Ends those that run. */
  async close(): Promise<void> {
    const running = [...this.#running];
    for (const program of running) program.stop("aborted", "the runtime was closed");
    await Promise.all(running.map(({ outcome }) => outcome));
  }
}

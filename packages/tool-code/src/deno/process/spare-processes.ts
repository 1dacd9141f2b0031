import type { CodeLimits } from "../../code-limits.ts";
import type { SandboxProcess } from "./sandbox-process.ts";

interface Spare {
  readonly process: SandboxProcess;
  /** It was started with these. */
  readonly limits: CodeLimits;
}

/** Kinds of limits that idle processes are kept for: those of two tools that share a runtime. */
const MAX_USUAL = 2;
/** Idle processes are killed after this time without a run. */
const IDLE_TIMEOUT_MS = 300_000;

/** Processes that wait for a program, for the limits that programs were last run with. */
export class SpareProcesses {
  readonly #count: number;
  readonly #start: (limits: CodeLimits) => SandboxProcess;
  readonly #spares: Spare[] = [];
  /** The latest first. */
  #usual: readonly CodeLimits[];
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param count How many are idle for each kind of limits.
   * @param limits Those of the first.
   */
  constructor(count: number, limits: CodeLimits, start: (limits: CodeLimits) => SandboxProcess) {
    this.#count = count;
    this.#usual = [limits];
    this.#start = start;
  }

  /** An idle process that was started with these limits. Later ones are kept ready. */
  take(limits: CodeLimits): SandboxProcess | undefined {
    this.#usual = [limits, ...this.#usual.filter((usual) => !areAlike(usual, limits))].slice(0, MAX_USUAL);
    for (;;) {
      const at = this.#spares.findIndex((spare) => areAlike(spare.limits, limits));
      const [spare] = at === -1 ? [] : this.#spares.splice(at, 1);
      if (spare === undefined || spare.process.contained.alive) return spare?.process;
    }
  }

  /** Starts the processes that are missing, and kills those for limits that are not used any more. */
  refill(): void {
    clearTimeout(this.#idle);
    if (this.#isClosed) return;
    for (const spare of this.#spares.splice(0)) {
      if (this.#usual.some((limits) => areAlike(limits, spare.limits))) this.#spares.push(spare);
      else spare.process.kill();
    }
    for (const limits of this.#usual) this.#fill(limits);
    this.#idle = setTimeout(() => {
      for (const { process } of this.#spares.splice(0)) process.kill();
    }, IDLE_TIMEOUT_MS).unref();
  }

  /** Kills them and starts none any more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    this.clear();
  }

  clear(): void {
    for (const { process } of this.#spares.splice(0)) {
      // Otherwise a host that waits for nothing else would end before its idle processes have.
      process.contained.hold(true);
      process.kill();
    }
  }

  #fill(limits: CodeLimits): void {
    const found = this.#spares.filter((spare) => areAlike(spare.limits, limits)).length;
    for (let count = found; count < this.#count; count += 1) {
      try {
        const process = this.#start(limits);
        process.contained.hold(false);
        this.#spares.push({ process, limits });
      } catch {
        return;
      }
    }
  }
}

/** Whether a process for one of these limits serves the other. */
function areAlike(one: CodeLimits, other: CodeLimits): boolean {
  return (["heapMb", "rssMb", "frameBytes", "outputBytes", "frameValues"] as const).every(
    (name) => one[name] === other[name],
  );
}

import type { CodeLimits } from "../../code-limits.ts";
import type { SandboxProcess } from "./sandbox-process.ts";

/** Idle processes are killed after this time without a run. */
const IDLE_TIMEOUT_MS = 300_000;

/** Processes that wait for a program, for the limits that the last one was run with. */
export class SpareProcesses {
  readonly #count: number;
  readonly #start: (limits: CodeLimits) => SandboxProcess;
  readonly #spares: SandboxProcess[] = [];
  #limits: CodeLimits;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param count How many are idle.
   * @param limits Those of the first.
   */
  constructor(count: number, limits: CodeLimits, start: (limits: CodeLimits) => SandboxProcess) {
    this.#count = count;
    this.#limits = limits;
    this.#start = start;
  }

  /** An idle process that was started with these limits. Later ones are kept ready. */
  take(limits: CodeLimits): SandboxProcess | undefined {
    if (!areAlike(limits, this.#limits)) this.clear();
    this.#limits = limits;
    for (;;) {
      const spare = this.#spares.shift();
      if (spare === undefined || spare.contained.alive) return spare;
    }
  }

  /** Starts the processes that are missing. */
  refill(): void {
    clearTimeout(this.#idle);
    if (this.#isClosed) return;
    while (this.#spares.length < this.#count) {
      try {
        const process = this.#start(this.#limits);
        process.contained.hold(false);
        this.#spares.push(process);
      } catch {
        // The next run says why.
        break;
      }
    }
    this.#idle = setTimeout(() => this.clear(), IDLE_TIMEOUT_MS).unref();
  }

  /** Kills them and starts none any more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    this.clear();
  }

  /** Kills them. */
  clear(): void {
    for (const process of this.#spares.splice(0)) {
      // Otherwise a host that waits for nothing else would end before its idle processes have.
      process.contained.hold(true);
      process.kill();
    }
  }
}

/** Whether a process for one of these limits serves the other. */
function areAlike(one: CodeLimits, other: CodeLimits): boolean {
  return (["heapMb", "rssMb", "frameBytes", "outputBytes", "frameValues"] as const).every(
    (name) => one[name] === other[name],
  );
}

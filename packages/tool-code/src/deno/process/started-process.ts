import { readFileSync } from "node:fs";

/** A process that is known by its id and the time of its start, so that a later one with the same id is not taken for it. */
export interface StartedProcess {
  readonly pid: number;
  /** Kills it, if it is still there. */
  kill(): void;
}

/** The first process that a process has started, on Linux. `undefined` elsewhere, and when there is none. */
export function firstChild(pid: number): StartedProcess | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const child = Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1"), 10);
    const started = startOf(child);
    return {
      pid: child,
      kill() {
        try {
          if (startOf(child) === started) process.kill(child, "SIGKILL");
        } catch {
          // It is gone.
        }
      },
    };
  } catch {
    return undefined;
  }
}

/** In ticks since the machine was started. @throws {Error} When the process is gone. */
export function startOf(pid: number | "self"): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The second field is a name that may hold spaces and brackets.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

import type { ChildProcess } from "node:child_process";
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

/**
 * Whether a child starts as the leader of a process group, so that its own children can be ended with it. Windows has
 * no groups: there a child that ends leaves its children running.
 */
export const inOwnGroup: boolean = process.platform !== "win32";

/** Ends a child that was started `detached: inOwnGroup`, and everything it has started that did not leave its group. */
export function killGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (!inOwnGroup) return void child.kill("SIGKILL");
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of it is gone.
  }
}

/**
 * Ends a child that is still running, with all it has started: first its own first child, which is the first process of a
 * process namespace where there is a wall, so that the kernel ends the others even if they have left the group.
 *
 * @param first That one, where it is known.
 */
export function killTree(child: ChildProcess, first?: StartedProcess): void {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
    (first ?? firstChild(child.pid))?.kill();
  killGroup(child);
}

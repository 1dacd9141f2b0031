import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/**
 * Kills the first process that a process has started, if it is still there: it is known by its id and the time of its start, so
 * that a later one with the same id is not taken for it. On Linux; `undefined` elsewhere, and when there is none.
 */
export function firstChildKiller(pid: number): (() => void) | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const child = childrenOf(pid)[0] ?? NaN;
    const started = startOf(child);
    return () => {
      try {
        if (startOf(child) === started) process.kill(child, "SIGKILL");
      } catch {
        // It is gone.
      }
    };
  } catch {
    return undefined;
  }
}

/** In ticks since the machine was started. @throws {Error} When the process is gone. */
export function startOf(pid: number | "self"): string | undefined {
  return statOf(pid)[19];
}

/** What the kernel says of a process, from the third field on. @throws {Error} When it is gone. */
export function statOf(pid: number | "self"): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The second field is a name that may hold spaces and brackets.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** The processes that a process has started, from any of its threads. None on systems that do not report them. */
export function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => childrenOfThread(pid, thread));
  } catch {
    return [];
  }
}

function childrenOfThread(pid: number, thread: string): readonly number[] {
  try {
    return (readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").match(/\d+/g) ?? []).map(Number);
  } catch {
    // The thread has ended.
    return [];
  }
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
 * @param killFirst Kills that one, where it is known.
 */
export function killTree(child: ChildProcess, killFirst?: () => void): void {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
    (killFirst ?? firstChildKiller(child.pid))?.();
  killGroup(child);
}

import type { ChildProcess } from "node:child_process";
import { firstChild, type StartedProcess } from "./started-process.ts";

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

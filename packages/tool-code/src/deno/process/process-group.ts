import type { ChildProcess } from "node:child_process";

/**
 * Whether a child is started as the first of a process group, so that what it starts can be ended with it. Windows has no
 * groups: there a child that ends takes nothing along.
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

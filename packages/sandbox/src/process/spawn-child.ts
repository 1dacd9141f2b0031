import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";

/**
 * Starts a process. One that cannot be started either throws here or emits `error`, with the reason in its message, which
 * may name paths of the host.
 *
 * @throws {Error} When there is no descriptor left (Node then returns a child without streams, and `error` comes too late
 *   for code that uses them), or when the system refuses in any way that `spawn` throws for.
 */
export function spawnChild(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, options);
  if (child.pid !== undefined || (child.stdin as unknown) !== undefined) return child;
  child.on("error", () => undefined);
  throw Object.assign(new Error("spawn EMFILE: the host has no file descriptor left"), { code: "EMFILE" });
}

import { spawn, type ChildProcess } from "node:child_process";
import type { MemoryCap } from "./memory-cap.ts";

/**
 * Reads `add PID FOLDER`, `del PID` and `cap PID BYTES` and, when its input ends because the host is gone, kills the process groups that are left
 * and removes the directories. A constant: nothing is ever put into it.
 */
const SCRIPT = `trap '' HUP INT TERM
while read -r op pid dir; do
  if [ "$op" = add ]; then set -- "$@" "$pid" "$dir"
  elif [ "$op" = cap ]; then prlimit --pid "$pid" --data="$dir" 2>/dev/null
  else
    n=$#
    while [ "$n" -gt 0 ]; do
      a=$1; b=$2; shift 2; n=$((n-2))
      [ "$a" = "$pid" ] || set -- "$@" "$a" "$b"
    done
  fi
done
while [ "$#" -gt 0 ]; do kill -9 "-$1" 2>/dev/null; rm -rf -- "$2"; shift 2; done`;

/**
 * Sees to it that no sandboxed process outlives a host that was killed. A process ends by itself when its input does,
 * but not while the program keeps it busy in an endless loop. Not needed on Windows, where children end with Node.
 */
export class OrphanGuard {
  #process: ChildProcess | undefined;

  /** Watches a process, first of its group, and the directory that is removed with it. */
  add(pid: number, directory: string): void {
    if (process.platform !== "win32") this.#tell(`add ${pid} ${directory}\n`);
  }

  /** Has the kernel refuse a process more memory than that, where `prlimit` (util-linux) is installed. */
  cap({ pid, bytes }: MemoryCap): void {
    this.#tell(`cap ${pid} ${bytes}\n`);
  }

  /** Forgets a process that has ended. */
  delete(pid: number): void {
    if (this.#process !== undefined) this.#tell(`del ${pid}\n`);
  }

  /** Ends the guard, and whatever it still watches. */
  close(): void {
    this.#process?.stdin?.end();
    this.#process = undefined;
  }

  #tell(line: string): void {
    this.#process ??= start();
    this.#process.stdin?.write(line);
  }
}

function start(): ChildProcess {
  const guard = spawn("/bin/sh", ["-c", SCRIPT], {
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    // Whoever kills the host by its group must not take the guard along.
    detached: true,
    env: { PATH: "/usr/bin:/bin" },
  });
  // Without /bin/sh there is no guard; everything else works as before.
  guard.on("error", () => undefined);
  guard.stdin.on("error", () => undefined);
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard;
}

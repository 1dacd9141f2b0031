import type { ChildProcessByStdio } from "node:child_process";
import type { Writable } from "node:stream";
import type { CappedProcess, KernelLimit } from "./kernel-limits.ts";
import { spawnChild } from "./spawn-child.ts";

type GuardProcess = ChildProcessByStdio<Writable, null, null>;

/**
 * Reads `add PID DIRECTORY`, `del PID` and `cap PID [--reuid=UID --regid=GID ]-- LIMITS`. When its input ends, because the host is gone, kills the
 * remaining process groups, and the first process that the leader of each has started, and removes their directories. `prlimit` ends at the first limit
 * that the kernel refuses: the others are then set one by one. A constant: nothing is interpolated.
 */
const SCRIPT = `trap '' HUP INT TERM
cap() { \${as:+setpriv --clear-groups $as} prlimit --pid "$pid" "$@" 2>/dev/null; }
while read -r op pid dir; do
  if [ "$op" = add ]; then set -- "$@" "$pid" "$dir"
  elif [ "$op" = cap ]; then
    as=\${dir%%"-- "*} all=\${dir#*"-- "}
    cap $all || for limit in $all; do [ ! -d "/proc/$pid" ] || cap "$limit"; done
  else
    n=$#
    while [ "$n" -gt 0 ]; do
      a=$1; b=$2; shift 2; n=$((n-2))
      [ "$a" = "$pid" ] || set -- "$@" "$a" "$b"
    done
  fi
done
while [ "$#" -gt 0 ]; do
  first=; { read -r first more </proc/$1/task/$1/children; } 2>/dev/null
  [ -z "$first" ] || kill -9 "$first" 2>/dev/null
  kill -9 "-$1" 2>/dev/null; rm -rf -- "$2"; shift 2
done`;

/** Something that ends every guard is not fought for ever. */
const MAX_STARTS = 20;

/**
 * Kills the sandboxed processes when the host is killed. A process ends by itself at the end of its input, but not while
 * the program runs an endless loop. Not needed on Windows, where children end with Node.
 *
 * The guard is a process of its own. It is started again when it ends while it watches something, and by the next process
 * to watch when it could not be started.
 */
export class OrphanGuard {
  #process: GuardProcess | undefined;
  readonly #watched = new Map<number, string>();
  #starts = 0;

  /** Watches a process, the leader of its group, and its directory. */
  add(pid: number, directory: string): void {
    if (process.platform === "win32") return;
    this.#watched.set(pid, directory);
    if (this.#process === undefined) this.#start();
    else this.#send(`add ${pid} ${directory}\n`);
  }

  /** Has the kernel limit a process, where `prlimit` (util-linux) is installed. */
  cap({ pid, identity }: CappedProcess, limits: readonly KernelLimit[]): void {
    const as = identity === undefined ? "" : `--reuid=${identity.uid} --regid=${identity.gid} `;
    this.#send(`cap ${pid} ${as}-- ${limits.join(" ")}\n`);
  }

  delete(pid: number): void {
    if (this.#watched.delete(pid)) this.#send(`del ${pid}\n`);
  }

  /** Ends the guard and the processes it still watches. */
  close(): void {
    this.#process?.stdin.end();
    this.#process = undefined;
    this.#watched.clear();
  }

  #send(line: string): void {
    this.#process?.stdin.write(line);
  }

  #start(): void {
    let guard: GuardProcess;
    try {
      guard = startGuard();
    } catch {
      // Without a guard everything else works as before.
      return;
    }
    this.#process = guard;
    this.#starts += 1;
    const gone = (): void => {
      if (this.#process !== guard) return;
      this.#process = undefined;
      if (this.#watched.size > 0 && this.#starts < MAX_STARTS) this.#start();
    };
    guard.once("error", () => {
      if (this.#process === guard) this.#process = undefined;
    });
    guard.once("exit", gone);
    for (const [pid, directory] of this.#watched) this.#send(`add ${pid} ${directory}\n`);
  }
}

function startGuard(): GuardProcess {
  const guard = spawnChild("/bin/sh", ["-c", SCRIPT], {
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    // A signal to the host's process group must not kill the guard.
    detached: true,
    env: { PATH: "/usr/bin:/bin" },
  }) as GuardProcess;
  guard.stdin.on("error", () => undefined);
  guard.unref();
  (guard.stdin as unknown as Partial<NodeJS.RefCounted>).unref?.();
  return guard;
}

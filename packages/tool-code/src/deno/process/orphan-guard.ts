import { spawn, type ChildProcess } from "node:child_process";
import type { MemoryCap } from "./memory-cap.ts";

/**
 * Reads `add PID DIRECTORY`, `del PID` and `cap PID BYTES [--reuid=UID --regid=GID]`. When its input ends, because the host is gone, kills the
 * remaining process groups, and the first process that the leader of each has started, and removes their directories. A constant: nothing is interpolated.
 */
const SCRIPT = `trap '' HUP INT TERM
while read -r op pid dir; do
  if [ "$op" = add ]; then set -- "$@" "$pid" "$dir"
  elif [ "$op" = cap ]; then
    bytes=\${dir%% *}; as=\${dir#"$bytes"}
    \${as:+setpriv --clear-groups $as} prlimit --pid "$pid" --data="$bytes" 2>/dev/null
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

/**
 * Kills the sandboxed processes when the host is killed. A process ends by itself at the end of its input, but not while
 * the program runs an endless loop. Not needed on Windows, where children end with Node.
 */
export class OrphanGuard {
  #process: ChildProcess | undefined;

  /** Watches a process, the leader of its group, and its directory. */
  add(pid: number, directory: string): void {
    if (process.platform !== "win32") this.#send(`add ${pid} ${directory}\n`);
  }

  /** Has the kernel limit the memory of a process, where `prlimit` (util-linux) is installed. */
  cap({ pid, bytes, identity }: MemoryCap): void {
    const as = identity === undefined ? "" : ` --reuid=${identity.uid} --regid=${identity.gid}`;
    this.#send(`cap ${pid} ${bytes}${as}\n`);
  }

  /** Stops watching a process that has ended. */
  delete(pid: number): void {
    if (this.#process !== undefined) this.#send(`del ${pid}\n`);
  }

  /** Ends the guard and the processes it still watches. */
  close(): void {
    this.#process?.stdin?.end();
    this.#process = undefined;
  }

  #send(line: string): void {
    this.#process ??= start();
    this.#process.stdin?.write(line);
  }
}

function start(): ChildProcess {
  const guard = spawn("/bin/sh", ["-c", SCRIPT], {
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    // A signal to the host's process group must not kill the guard.
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

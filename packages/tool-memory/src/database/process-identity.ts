import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Tells a process from every other, also from a later one with the same pid. A field is `null` where there is no `/proc`. */
export interface ProcessIdentity {
  /** Its pid. */
  readonly pid: number;
  /** When it started, in clock ticks since boot. */
  readonly started: string | null;
  /** The name of its machine or container. */
  readonly host: string;
  /** Which boot of the machine. */
  readonly boot: string | null;
  /** In which namespace the pid counts. */
  readonly namespace: string | null;
}

/** The running process. */
export function thisProcess(): ProcessIdentity {
  return {
    pid: process.pid,
    started: statOf(process.pid)?.started ?? null,
    host: hostname(),
    boot: read(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    namespace: read(() => readlinkSync("/proc/self/ns/pid")),
  };
}

/** Whether a process lives. `unknown` when that cannot be told from here: then it must be taken to live. */
export function isAlive(other: ProcessIdentity): "alive" | "dead" | "unknown" {
  const self = thisProcess();
  if (other.host !== self.host) return "unknown";
  if (other.boot !== self.boot) return "dead";
  if (other.namespace !== self.namespace) return "unknown";
  try {
    process.kill(other.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return "dead";
  }
  const stat = statOf(other.pid);
  if (stat === null || other.started === null) return "alive";
  return stat.started === other.started && !stat.ended ? "alive" : "dead";
}

/** The processor time that a process has used, in clock ticks; `null` where there is no `/proc`. */
export function workedOf(pid: number): number | null {
  return statOf(pid)?.worked ?? null;
}

/** Fields 3, 14 with 15, and 22 of `/proc/PID/stat` (proc(5)), counted from behind the name, which may hold anything. */
function statOf(
  pid: number,
): { readonly ended: boolean; readonly worked: number; readonly started: string | null } | null {
  const text = read(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const worked = Number(fields[11]) + Number(fields[12]);
  return { ended: fields[0] === "Z" || fields[0] === "X", worked, started: fields[19] ?? null };
}

function read(from: () => string): string | null {
  try {
    return from();
  } catch {
    return null;
  }
}

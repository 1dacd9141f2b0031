import { readFileSync, readlinkSync } from "node:fs";
import { isLinux } from "../wall/kernel-version.ts";
import type { ProgramIdentity } from "../wall/program-identity.ts";
import { MAX_DESCRIPTORS, MAX_PROCESSES } from "../wall/wall.ts";
import { innermostProcess } from "./process-usage.ts";

/** A limit of the kernel, as an argument of `prlimit`. */
export type KernelLimit = `--${"data" | "nofile" | "nproc" | "core" | "fsize" | "cpu"}=${number}`;

/** Limits of one program. */
export interface RunLimits {
  /** Size of a file, in MiB. */
  readonly diskMb: number;
  /** Processor time, in milliseconds. */
  readonly cpuMs: number;
}

/** A process to limit. */
export interface CappedProcess {
  /** The process; inside of another program that was put around it. */
  readonly pid: number;
  /** Who has to set it, when the process runs as another user than the host: root in a container may not. */
  readonly identity?: ProgramIdentity;
}

/** Above `rssMb` and `diskMb`, so that the watch reports the limit before the kernel enforces it. */
const MARGIN = 1.5;
/** CPU time of a start and the watch's delay, in seconds. */
const CPU_MARGIN_S = 2;
const MIB = 1024 * 1024;

/**
 * Finds the process inside its containment and its limits, after it has started and before it runs anything, on Linux;
 * `undefined` elsewhere and when it is gone.
 *
 * The memory watch stands still while the host computes. The kernel does not: it refuses allocations beyond
 * `RLIMIT_DATA`. That limit also counts memory that V8 reserves at the start, half a GiB, so it is derived from the
 * current value.
 */
export function startLimits(
  pid: number,
  rssMb: number,
): { readonly process: CappedProcess; readonly limits: readonly KernelLimit[] } | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const inner = innermostProcess(pid);
    const status = readFileSync(`/proc/${inner}/status`, "latin1");
    const now = /^VmData:\s+(\d+) kB$/m.exec(status)?.[1];
    if (now === undefined) return undefined;
    const [uid, gid] = ["Uid", "Gid"].map((name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]));
    const bytes = Number(now) * 1024 + Math.ceil(rssMb * MARGIN) * MIB;
    const isOther = uid !== undefined && gid !== undefined && uid !== process.geteuid?.();
    return {
      process: { pid: inner, ...(isOther && { identity: { uid, gid } }) },
      limits: [
        `--data=${bytes}`,
        `--nofile=${MAX_DESCRIPTORS}`,
        "--core=0",
        ...(countsAlone(inner) ? [`--nproc=${MAX_PROCESSES}` as const] : []),
      ],
    };
  } catch {
    return undefined;
  }
}

/** Whether the kernel counts the processes of this one's user apart from the host's: since Linux 5.14 in a user namespace. */
function countsAlone(pid: number): boolean {
  return isLinux(5, 14) && readlinkSync(`/proc/${pid}/ns/user`) !== readlinkSync("/proc/self/ns/user");
}

/** Those limits, as the kernel sets them. */
export function runLimits({ diskMb, cpuMs }: RunLimits): readonly KernelLimit[] {
  return [`--fsize=${Math.ceil(diskMb * MARGIN) * MIB}`, `--cpu=${Math.ceil(cpuMs / 1_000) + CPU_MARGIN_S}`];
}

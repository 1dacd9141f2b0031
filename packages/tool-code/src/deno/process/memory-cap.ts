import { readFileSync } from "node:fs";
import type { ProgramIdentity } from "../wall/program-identity.ts";
import { innermostProcess } from "./process-usage.ts";

/** Above `rssMb`, so that the watch reports the limit before the kernel enforces it. */
const MARGIN = 1.5;

/** A limit on the private writable memory of a process. */
export interface MemoryCap {
  /** The process; inside of another program that was put around it. */
  readonly pid: number;
  /** All of it together, in bytes, with what it has set aside already. */
  readonly bytes: number;
  /** Who has to set it, when the process runs as another user than the host: root in a container may not. */
  readonly identity?: ProgramIdentity;
}

/**
 * The cap for a process that has started and has run nothing yet, on Linux; `undefined` elsewhere and when it is gone.
 *
 * The watch over memory stands still as long as the host computes. The kernel does not: it refuses what goes over
 * `RLIMIT_DATA`. That counts what V8 sets aside at the start too, half a GiB, so the cap is worked out from what is there.
 */
export function memoryCap(pid: number, rssMb: number): MemoryCap | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const inner = innermostProcess(pid);
    const status = readFileSync(`/proc/${inner}/status`, "latin1");
    const now = /^VmData:\s+(\d+) kB$/m.exec(status)?.[1];
    if (now === undefined) return undefined;
    const [uid, gid] = ["Uid", "Gid"].map((name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]));
    const bytes = Number(now) * 1024 + Math.ceil(rssMb * MARGIN) * 1024 * 1024;
    const isOther = uid !== undefined && gid !== undefined && uid !== process.geteuid?.();
    return { pid: inner, bytes, ...(isOther && { identity: { uid, gid } }) };
  } catch {
    return undefined;
  }
}

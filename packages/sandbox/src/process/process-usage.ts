import { readFileSync } from "node:fs";
import { childrenOf, statOf } from "./process-tree.ts";

/** Resources that a process has used. */
export interface ProcessUsage {
  /** Memory it holds now, in bytes: resident memory, and the kernel's tables of its addresses. */
  readonly rssBytes: number;
  /** Threads it has. */
  readonly threads: number;
  /** Processor time so far, in milliseconds, all threads together. */
  readonly cpuMs: number;
  /** Whether it computes, or would if the system gave it a processor. */
  readonly isRunning: boolean;
}

/** Linux counts processor time for programs in hundredths of a second on every architecture. */
const MS_PER_TICK = 10;

/**
 * Reads the resources a process uses, on Linux, including the processes it has started: in containment, the program is
 * a descendant of the wrapper. `undefined` elsewhere and when the process is gone.
 */
export function processUsage(pid: number | undefined): ProcessUsage | undefined {
  if (process.platform !== "linux" || pid === undefined) return undefined;
  try {
    // In kB, independent of the page size: `statm` counts pages, and a page is 64 KiB on some ARM systems.
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    const [rss, tables, threads] = [/^VmRSS:\s+(\d+) kB$/m, /^VmPTE:\s+(\d+) kB$/m, /^Threads:\s+(\d+)$/m].map(
      (line) => line.exec(status)?.[1],
    );
    const fields = statOf(pid);
    if (rss === undefined) return undefined;
    // Its own, and that of children which have ended.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    const own = {
      rssBytes: (Number(rss) + Number(tables ?? 0)) * 1024,
      threads: Number(threads ?? 1),
      cpuMs: ticks * MS_PER_TICK,
      isRunning: fields[0] === "R",
    };
    return childrenOf(pid).reduce((sum, child) => {
      const { rssBytes = 0, threads: more = 0, cpuMs = 0, isRunning = false } = processUsage(child) ?? {};
      return {
        rssBytes: sum.rssBytes + rssBytes,
        threads: sum.threads + more,
        cpuMs: sum.cpuMs + cpuMs,
        isRunning: sum.isRunning || isRunning,
      };
    }, own);
  } catch {
    return undefined;
  }
}

/** Follows children down to the last descendant: the program in containment, or the process itself. */
export function innermostProcess(pid: number): number {
  const [child] = childrenOf(pid);
  return child === undefined ? pid : innermostProcess(child);
}

import { readdirSync, readFileSync } from "node:fs";

/** Ids of the processes whose environment or command names a directory. None on systems without `/proc`. */
export function processesIn(directory: string): readonly string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && textOf(pid).includes(directory));
}

function textOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1") + readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

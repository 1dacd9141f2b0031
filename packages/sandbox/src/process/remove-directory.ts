import { mkdtempSync, readlinkSync, rmdirSync } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { startOf } from "./process-tree.ts";

/** With growing delays: ten seconds in all. */
const MAX_RETRIES = 20;
const RETRY_DELAY_MS = 50;

/**
 * Removes the directory of a process that has ended. Never rejects.
 *
 * Tries for ten seconds: on Windows a killed process releases its files a moment later, and a host may have no descriptor
 * free, which reading a directory takes. An empty directory needs none.

 */
export async function removeDirectory(directory: string): Promise<void> {
  try {
    rmdirSync(directory);
  } catch {
    await rm(directory, { recursive: true, force: true, maxRetries: MAX_RETRIES, retryDelay: RETRY_DELAY_MS }).catch(
      () => undefined,
    );
  }
}

/** The machine's or container's process ids, the id of the process that made it, and when that started. */
const NAME = /^dispatch-code-(\d+)-(\d+)-(\d+)-/;

/** Makes a temporary directory whose name says which process made it. */
export function makeDirectory(tempDir: string): string {
  return mkdtempSync(path.join(tempDir, `dispatch-code-${processSpace()}-${process.pid}-${startTime("self") ?? 0}-`));
}

/**
 * Removes the directories that hosts left behind which were killed together with their guards: those of this user, made by
 * a process of the same ids that is gone. Never rejects.
 */
export async function removeLeftDirectories(tempDir: string): Promise<void> {
  const names = await readdir(tempDir).catch(() => []);
  for (const name of names) {
    const [, space, pid, start] = NAME.exec(name) ?? [];
    if (pid === undefined || Number(space) !== processSpace() || isRunning(Number(pid), start)) continue;
    const directory = path.join(tempDir, name);
    const found = await lstat(directory).catch(() => undefined);
    if (found?.isDirectory() === true && found.uid === (process.geteuid?.() ?? found.uid))
      await removeDirectory(directory);
  }
}

/** The namespace of process ids: the ids of another container say nothing here. */
function processSpace(): number {
  try {
    return Number(/\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? 0);
  } catch {
    return 0;
  }
}

function isRunning(pid: number, start: string | undefined): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return start === "0" || startTime(pid) === start;
}

function startTime(pid: number | "self"): string | undefined {
  try {
    return startOf(pid);
  } catch {
    return undefined;
  }
}

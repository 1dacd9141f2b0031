import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { runWithEnvironment } from "./run-with-environment.ts";

/** Free memory that there must be, in bytes: temporary files take up to a quarter of it. */
const MIN_FREE_BYTES = 6 * 1024 ** 3;
/** Mounts memory on a directory, then becomes a command. */
const MOUNT = 'mount -t tmpfs -o mode=1777 tmpfs "$0" && exec "$@"';

/**
 * Runs a command whose temporary directory is in memory: tests make and remove some hundred thousand small files, which
 * takes a file system on a disk a quarter of their processor time. The directory is mounted for the command alone and is gone
 * with it. That needs Linux and root; elsewhere the command runs as it is. With `DISPATCH_TEST_FILES=disk`, too.
 *
 * @returns The command's exit code, 1 when it was ended by a signal.
 */
export async function runInMemory(command: readonly [program: string, ...args: string[]]): Promise<number> {
  if (process.env["DISPATCH_TEST_FILES"] === "disk" || freemem() < MIN_FREE_BYTES)
    return runWithEnvironment(command, process.env);
  const directory = mkdtempSync(path.join(tmpdir(), "tests-"));
  const mounted = ["unshare", "--mount", "sh", "-c", MOUNT, directory] as const;
  const [program, ...args] = mounted;
  try {
    if (spawnSync(program, [...args, "true"], { stdio: "ignore" }).status !== 0)
      return await runWithEnvironment(command, process.env);
    return await runWithEnvironment([...mounted, ...command], { ...process.env, TMPDIR: directory });
  } finally {
    rmdirSync(directory);
  }
}

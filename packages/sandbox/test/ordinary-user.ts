import { spawnSync } from "node:child_process";
import { chownSync } from "node:fs";
import { temporaryDirectory } from "./temporary-directory.ts";

const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;

/** Runs what follows as an ordinary user: root may do everything. Nothing where the tests run as one. */
export const AS_USER: readonly string[] = isRoot
  ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"]
  : ["env"];

/** Whether an ordinary user can run the sources. */
export function userCanRun(): boolean {
  const [command = "", ...args] = AS_USER;
  return spawnSync(command, [...args, "test", "-r", import.meta.filename]).status === 0;
}

/** Gives a new directory to the ordinary user. */
export function directoryOfUser(): string {
  const directory = temporaryDirectory();
  if (isRoot) chownSync(directory, NOBODY, NOBODY);
  return directory;
}

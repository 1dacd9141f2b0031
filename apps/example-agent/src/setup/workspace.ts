import { rmSync } from "node:fs";
import { cp, mkdtemp, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** A directory the agent works in. */
export interface Workspace {
  /** Absolute path, links resolved. */
  readonly path: string;
  /** How to call it when talking to a person. */
  readonly label: string;
  /** Removes files made for this run alone. */
  close(): Promise<void>;
}

const REAL_CODE = fileURLToPath(new URL("../../../../packages/tools-interface/", import.meta.url));

/** A copy of real code that may be changed at will. */
export async function makeScratch(keep: boolean): Promise<Workspace> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), "dispatch-agent-")));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  // Also when the process is ended at once.
  if (!keep) process.once("exit", remove);
  for (const part of ["src", "README.md", "package.json"]) {
    await cp(path.join(REAL_CODE, part), path.join(directory, part), { recursive: true });
  }
  return {
    path: directory,
    label: keep ? directory : "a scratch copy of packages/tools-interface",
    async close() {
      if (keep) return;
      await rm(directory, { recursive: true, force: true });
      process.off("exit", remove);
    },
  };
}

/** A directory that is there already; it is changed in place and stays. */
export async function useDirectory(directory: string): Promise<Workspace> {
  const found = await stat(directory).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    throw new Error(
      `Cannot work in ${directory}: ${found === undefined ? "there is no such directory" : "it is not a directory"}`,
    );
  }
  const resolved = await realpath(directory);
  if (resolved === path.parse(resolved).root) {
    throw new Error(`Cannot work in ${directory}: it is the whole file system, allowed is a directory in it`);
  }
  return { path: resolved, label: directory, close: () => Promise.resolve() };
}

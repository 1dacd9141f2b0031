import { cp, mkdtemp, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** A folder the agent works in. */
export interface Workspace {
  /** Absolute path, links resolved. */
  readonly path: string;
  /** How to call it when talking to a person. */
  readonly label: string;
  /** Removes what was made for this run alone. */
  close(): Promise<void>;
}

const REAL_CODE = fileURLToPath(new URL("../../../../packages/tools-interface/", import.meta.url));

/** A copy of real code that may be changed at will. */
export async function makeScratch(keep: boolean): Promise<Workspace> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "dispatch-agent-")));
  for (const part of ["src", "README.md", "package.json"]) {
    await cp(path.join(REAL_CODE, part), path.join(folder, part), { recursive: true });
  }
  return {
    path: folder,
    label: keep ? folder : "a scratch copy of packages/tools-interface",
    close: () => (keep ? Promise.resolve() : rm(folder, { recursive: true, force: true })),
  };
}

/** A folder that is there already; it is changed in place and stays. */
export async function useFolder(folder: string): Promise<Workspace> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    throw new Error(
      `Cannot work in ${folder}: ${found === undefined ? "there is no such folder" : "it is not a folder"}`,
    );
  }
  return { path: await realpath(folder), label: folder, close: () => Promise.resolve() };
}

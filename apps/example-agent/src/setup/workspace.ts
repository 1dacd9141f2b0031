import { rmSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, realpath, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** A directory the agent works in. */
export interface Workspace {
  /** Absolute path, links resolved. */
  readonly path: string;
  /** How to call it when talking to a person. */
  readonly label: string;
  /** Whether it is there after `close`. */
  readonly stays: boolean;
  /** The task of a run without one; `undefined` where only the user knows what to do. */
  readonly task: string | undefined;
  /** Removes files made for this run alone. */
  close(): Promise<void>;
}

const REAL_CODE = fileURLToPath(new URL("../../../../packages/tools-interface/", import.meta.url));

/** First words of names, and others that mean the same. */
const SYNONYMS = { describe: "explain", find: "locate", closest: "nearest", check: "verify", count: "tally" } as const;
/** Files with a name that the example renames: fewer are no work, more do not fit on a screen. */
const FILES_OF_NAME = { min: 2, max: 3 };

/** A copy of real code that may be changed at will. */
export async function makeScratch(keep: boolean): Promise<Workspace> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), "dispatch-agent-")));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  // Also when the process is ended at once.
  if (!keep) process.once("exit", remove);
  for (const part of ["src", "README.md", "package.json"]) {
    await cp(path.join(REAL_CODE, part), path.join(directory, part), { recursive: true });
  }
  // So that the copy loads as the original does. The file tools do not follow it: it leads out of the worktree.
  await symlink(path.join(REAL_CODE, "node_modules"), path.join(directory, "node_modules"), "junction");
  return {
    path: directory,
    label: keep ? directory : "a scratch copy of packages/tools-interface",
    stays: keep,
    task: await taskIn(path.join(directory, "src")),
    async close() {
      if (keep) return;
      await rm(directory, { recursive: true, force: true });
      process.off("exit", remove);
    },
  };
}

/** The task to rename a function of this code that has a synonym no file uses. */
async function taskIn(source: string): Promise<string> {
  const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith(".ts")).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(path.join(source, name), "utf8")));
  const filesOf = (name: string): number => texts.filter((text) => new RegExp(`\\b${name}\\b`).test(text)).length;
  for (const text of texts) {
    for (const [, verb = "", rest = ""] of text.matchAll(/^export function ([a-z]+)([A-Z]\w*)/gm)) {
      const synonym = (SYNONYMS as Readonly<Record<string, string>>)[verb];
      if (synonym === undefined || filesOf(synonym + rest) > 0) continue;
      const files = filesOf(verb + rest);
      if (files >= FILES_OF_NAME.min && files <= FILES_OF_NAME.max)
        return `Rename "${verb}${rest}" to "${synonym}${rest}"`;
    }
  }
  throw new Error("Cannot choose a task: the scratch copy has no function to rename, say what to do with --task");
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
  return { path: resolved, label: directory, stays: true, task: undefined, close: () => Promise.resolve() };
}

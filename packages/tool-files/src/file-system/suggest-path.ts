import { FileNotFoundError } from "../error/files-error.ts";
import { quotedPath } from "../error/printable-path.ts";
import type { FileEntry, FileSystem } from "../sandbox/file-system.ts";
import { isGitDirectory } from "../sandbox/git-directory.ts";
import { childOf, treeNames } from "../sandbox/tree-path.ts";
import type { WorktreeContext } from "../sandbox/worktree-context.ts";
import { openFileSystem } from "./sandbox-file-system.ts";

/** Directories and milliseconds spent on looking for a file of the same name. */
const MAX_DIRECTORIES = 500;
const MAX_MS = 100;
/** Paths that are named. */
const MAX_NAMED = 3;
/** Directories that hold no file that is meant. */
const PASSED_OVER = new Set(["node_modules", ".venv", "__pycache__", "dist", "target"]);

/** Runs a call, and names paths that may be meant when there is no file or directory at `path`. */
export function withSuggestions<T>(
  context: WorktreeContext,
  path: string,
  act: () => T | Promise<Awaited<T>>,
): T | Promise<Awaited<T>> {
  const explain = async (error: unknown): Promise<never> => {
    if (!(error instanceof FileNotFoundError)) throw error;
    const near = await suggestedPaths(context, path);
    if (near.length === 0) throw error;
    throw new FileNotFoundError(`${error.message}; did you mean ${near.map(escapedPath).join(" or ")}?`, {
      cause: error,
    });
  };
  try {
    const result = act();
    return result instanceof Promise ? result.catch(explain) : result;
  } catch (error) {
    if (!(error instanceof FileNotFoundError)) throw error;
    return explain(error);
  }
}

/** A path as a JSON string in which nothing looks like something else: unusual spaces and quotes, separate accents. */
function escapedPath(path: string): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return quotedPath(path).replace(/[\u0300-\u036f]|[\u00a0\u2000-\u200a\u2010-\u201f\u202f\u205f\u3000]/g, escape);
}

async function suggestedPaths(context: WorktreeContext, path: string): Promise<readonly string[]> {
  const own = context.fileSystem === undefined ? openFileSystem(context.worktreePath) : undefined;
  const fileSystem = context.fileSystem ?? own!;
  try {
    const names = treeNames(path, context.worktreePath, "read");
    const spelled = await spelledOtherwise(fileSystem, names);
    return spelled === undefined ? await sameNameElsewhere(fileSystem, names.at(-1) ?? "") : [spelled];
  } catch {
    return [];
  } finally {
    own?.close();
  }
}

/** The path with each name as it is there: in another case, with other quotes, spaces or composed characters. */
async function spelledOtherwise(fileSystem: FileSystem, names: readonly string[]): Promise<string | undefined> {
  let path = "";
  for (const name of names) {
    const entries = await fileSystem.readDirectory(path);
    const same = entries.filter((entry) => folded(entry.name) === folded(name));
    const [found, ...others] = same.some((entry) => entry.name === name) ? [{ name }] : same;
    if (found === undefined || others.length > 0) return undefined;
    path = childOf(path, found.name);
  }
  return path;
}

/** Paths of files of the same name, or with the same name but for its ending beside where it was looked for. */
async function sameNameElsewhere(fileSystem: FileSystem, name: string): Promise<readonly string[]> {
  const found: string[] = [];
  const deadline = performance.now() + MAX_MS;
  const waiting = [""];
  for (let count = 0; count < MAX_DIRECTORIES && performance.now() < deadline; count += 1) {
    const directory = waiting.shift();
    if (directory === undefined) break;
    for (const entry of await entriesOf(fileSystem, directory)) {
      if (folded(entry.name) === folded(name)) found.push(childOf(directory, entry.name));
      else if (entry.kind === "directory" && !PASSED_OVER.has(entry.name) && !isGitDirectory(entry.name))
        waiting.push(childOf(directory, entry.name));
      if (found.length === MAX_NAMED) return found;
    }
  }
  return found;
}

async function entriesOf(fileSystem: FileSystem, directory: string): Promise<readonly FileEntry[]> {
  try {
    return await fileSystem.readDirectory(directory);
  } catch {
    // It may not be read, or is gone.
    return [];
  }
}

/** A name without what is easily mistaken: case, composition, kinds of quotes, dashes and spaces. */
function folded(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/[\u2018\u2019\u201b`]/g, "'")
    .replace(/[\u201c\u201d\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

import { withPlainSigns } from "../edit/edit-match.ts";
import { FileNotFoundError } from "../error/files-error.ts";
import { quotedPath } from "../error/printable-path.ts";
import { childOf, isGitDirectory, treeNames } from "../sandbox/path-segments.ts";
import type { WorktreeContext } from "../sandbox/worktree-context.ts";
import { TimeSlice } from "../thread/time-slice.ts";
import type { Awaitable, FileEntry, FileSystem } from "./file-system.ts";
import { openFileSystem, SandboxFileSystem } from "./sandbox-file-system.ts";

/** Directories read to find a file of the same name. */
const MAX_DIRECTORIES = 500;
/** Milliseconds spent on suggestions in one call. */
const MAX_MS = 1000;
/** Entries of one directory that are looked at, and how many of them at a time. */
const MAX_ENTRIES = 20_000;
const PART = 500;
/** Paths that are named. */
const MAX_NAMED = 3;
/** Directories that hold no file that is meant. */
const PASSED_OVER = new Set(["node_modules", ".venv", "__pycache__", "dist", "target"]);

interface SuggestionTime {
  leftMs: number;
}

const shared = new WeakMap<WorktreeContext, SuggestionTime>();

/** The same context for several calls, whose suggestions take no more time together than those of one. */
export function sharingSuggestionTime({ worktreePath, fileSystem }: WorktreeContext): WorktreeContext {
  const context = { worktreePath, ...(fileSystem !== undefined && { fileSystem }) };
  shared.set(context, { leftMs: MAX_MS });
  return context;
}

/** Runs a call, and names paths that may be meant when there is no file or directory at `path`. */
export async function withSuggestions<T>(context: WorktreeContext, path: string, act: () => T): Promise<Awaited<T>> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof FileNotFoundError)) throw error;
    const near = await suggestedPaths(context, path, shared.get(context) ?? { leftMs: MAX_MS });
    if (near.length === 0) throw error;
    throw new FileNotFoundError(`${error.message}; did you mean ${near.map(escapedPath).join(" or ")}?`, {
      cause: error,
    });
  }
}

/** A path as a JSON string in which nothing looks like something else: unusual spaces and quotes, separate accents. */
function escapedPath(path: string): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return quotedPath(path).replace(/[\u0300-\u036f]|[\u00a0\u2000-\u200a\u2010-\u201f\u202f\u205f\u3000]/g, escape);
}

async function suggestedPaths(
  context: WorktreeContext,
  path: string,
  time: SuggestionTime,
): Promise<readonly string[]> {
  if (time.leftMs <= 0) return [];
  const begun = performance.now();
  const own = context.fileSystem === undefined ? openFileSystem(context.worktreePath) : undefined;
  const look = new Look(own ?? context.fileSystem!, begun + time.leftMs);
  try {
    const names = treeNames(path, context.worktreePath, "read");
    const spelled = await look.spelledOtherwise(names);
    const found = spelled === undefined ? await look.sameNameElsewhere(names.at(-1) ?? "") : [spelled];
    // An entry that exists and cannot be used, such as a link that leads out, or a name that is not UTF-8, is no useful
    // suggestion.
    return found.filter((one) => one !== names.join("/") && !one.includes("\ufffd"));
  } catch {
    return [];
  } finally {
    own?.close();
    time.leftMs -= performance.now() - begun;
  }
}

/** One search for names, within bounds of time and number. */
class Look {
  readonly #fileSystem: SandboxFileSystem | FileSystem;
  readonly #deadline: number;

  constructor(fileSystem: SandboxFileSystem | FileSystem, deadline: number) {
    this.#fileSystem = fileSystem;
    this.#deadline = deadline;
  }

  /** The path with each name as it is there: in another case, with other quotes, spaces or composed characters. */
  async spelledOtherwise(names: readonly string[]): Promise<string | undefined> {
    let path = "";
    for (const name of names) {
      const entries = await this.#entries(path);
      if (!entries.some((entry) => entry.name === name)) {
        const [found, ...others] = await this.#alike(entries, name);
        if (found === undefined || others.length > 0) return undefined;
        path = childOf(path, found.name);
      } else path = childOf(path, name);
    }
    return path;
  }

  /** Paths of files of the same name. */
  async sameNameElsewhere(name: string): Promise<readonly string[]> {
    const found: string[] = [];
    const waiting = [""];
    for (let count = 0; count < MAX_DIRECTORIES && performance.now() < this.#deadline; count += 1) {
      const directory = waiting.shift();
      if (directory === undefined) break;
      const entries = await this.#entriesOf(directory);
      const same = new Set(await this.#alike(entries, name));
      for (const entry of same) found.push(childOf(directory, entry.name));
      if (found.length >= MAX_NAMED) return found.slice(0, MAX_NAMED);
      for (const entry of entries)
        if (
          entry.kind === "directory" &&
          !same.has(entry) &&
          !PASSED_OVER.has(entry.name) &&
          !isGitDirectory(entry.name)
        )
          waiting.push(childOf(directory, entry.name));
    }
    return found;
  }

  #entries(path: string): Awaitable<readonly FileEntry[]> {
    return this.#fileSystem instanceof SandboxFileSystem
      ? this.#fileSystem.readDirectory(path, MAX_ENTRIES)
      : this.#fileSystem.readDirectory(path);
  }

  async #entriesOf(directory: string): Promise<readonly FileEntry[]> {
    try {
      return await this.#entries(directory);
    } catch {
      // It may not be read, or is gone.
      return [];
    }
  }

  /** The entries of that name, however it is spelt. Other work goes on after a part of them; late, the rest is passed over. */
  async #alike(entries: readonly FileEntry[], name: string): Promise<readonly FileEntry[]> {
    const wanted = folded(name);
    const found: FileEntry[] = [];
    const slice = new TimeSlice();
    for (const [index, entry] of entries.entries()) {
      if (folded(entry.name) === wanted) found.push(entry);
      if (index % PART !== PART - 1) continue;
      if (performance.now() > this.#deadline) break;
      await slice.pause();
    }
    return found;
  }
}

/** A name with easily confused features removed: case, composition, kinds of quotes, dashes and spaces. */
function folded(name: string): string {
  return withPlainSigns(name.normalize("NFKC")).replaceAll("`", "'").replace(/\s+/g, " ").trim().toLowerCase();
}

import type { Dirent } from "node:fs";
import { SandboxError } from "../error/files-error.ts";
import { isTooManyOpenFiles, systemCode, toFilesError } from "../error/system-error.ts";
import { type HeldWorktree, withHeldSandbox } from "../sandbox/open-sandbox.ts";
import { comesAfter, isGitDirectory, orderKey, parentOf, type PathPlace } from "../sandbox/path-segments.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { isTemporaryName } from "../sandbox/temporary-files.ts";
import { pathMatcher } from "./glob-pattern.ts";
import { IgnoreRules, readGitignore } from "./ignore-rules.ts";
import { QUICK_INDEX, TrackedFiles, type IndexBudget } from "./tracked-files.ts";
import { TreeFiles } from "./tree-files.ts";

/** Limits of a listing, after which it stops. */
export interface TreeBudget extends IndexBudget {
  /** Entries looked at. Default 2,000,000, so that memory is bounded. */
  readonly maxEntries?: number;
  /** Milliseconds. Default: no limit. */
  readonly timeoutMs?: number;
  /** Size, as the system gives it, of a directory that is read. A listing stops before a larger one. Default: any. */
  readonly maxDirectoryBytes?: number;
  /** Characters of a `.gitignore`. A listing stops before a longer one. Default: any. */
  readonly maxIgnoreChars?: number;
}

/** A part of a tree, in order of path. It can be sent to a thread. */
export interface TreeRequest {
  /** The directory, from the worktree. */
  readonly path: string;
  /** A glob made by `globPattern`, relative to `path`; without a slash it matches names at any depth. Default: everything. */
  readonly pattern: string | undefined;
  /** Whether to enter directories. If not, they are listed. */
  readonly recursive: boolean;
  /** Whether to list entries that `.gitignore` leaves out. */
  readonly includeIgnored: boolean;
  /** Whether to list names that begin with a dot, and to go into such directories. */
  readonly includeHidden: boolean;
  /** Whether links to files inside the worktree count as files. Links to directories are never entered. */
  readonly links: boolean;
  readonly attempt: string;
  /** Files after this path, which need not be there any more; with `inclusive` also the file of this path. Default: all. */
  readonly after?: PathPlace | undefined;
  /** How many files are enough. Default: no limit. */
  readonly maxFiles?: number;
}

/**
 * The entries found, and the omissions on the way to the last of them; omissions beside the file of `after` or above were counted
 * before. Paths are from the worktree, with `/` between names, in code unit order.
 */
export interface Tree {
  readonly files: readonly string[];
  /** Directories, where they are not entered. */
  readonly directories: readonly string[];
  /** Entries left out by `.gitignore`; the contents of an ignored directory are not counted. */
  readonly ignored: number;
  /** Links that were left out. */
  readonly links: number;
  /** Directories that could not be read, in the order in which they were met. */
  readonly unreadable: readonly string[];
  /** Entries whose names are not UTF-8, which were left out. */
  readonly nameless: number;
  /** Rules of `.gitignore` files that were not applied. */
  readonly rulesLeftOut: number;
  /** Whether `path` itself is ignored, so that the rules above it were not applied. */
  readonly insideIgnored: boolean;
  /** Whether there are no more files after these. */
  readonly complete: boolean;
  /** The last file that was looked at, whether it matches or not. */
  readonly reached: string | undefined;
  /** Whether the budget ended the listing: the files are nevertheless all there are up to the last of them. */
  readonly stopped: boolean;
}

/** Entries looked at before a listing ends, so that memory is bounded. */
export const MAX_ENTRIES: number = 2_000_000;
/** Milliseconds for which a thread lists a tree. */
export const LIST_TIMEOUT_MS = 20_000;
/** Limits of a listing on the main thread. Larger ones run in a worker thread. */
export const QUICK_LISTING: TreeBudget = {
  ...QUICK_INDEX,
  maxEntries: 4000,
  timeoutMs: 30,
  maxDirectoryBytes: 128 * 1024,
  maxIgnoreChars: 8192,
};
/** Entries that are looked at however long that takes, so that a busy machine does not make a small tree a large one. */
const MIN_ENTRIES = 128;
/** Entries of a directory between two looks at the clock. */
const ENTRIES_BETWEEN_LOOKS = 8;
/** The system's codes for a path that leads to no directory, or over a link. */
const NO_DIRECTORY = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ESTALE"]);

/**
 * Lists a part of the worktree in order of path: the one walker of a tree. It reads directories through the sandbox, follows no link,
 * and enters neither `.git`, nor an ignored directory, nor one that no wanted file can be in.
 */
export function listTree(sandbox: Sandbox, request: TreeRequest, budget: TreeBudget = {}): Tree {
  const walk = new TreeWalk(sandbox, request, budget);
  try {
    return walk.run();
  } finally {
    walk.close();
  }
}

/** A request for a thread. The worktree has to be held until the answer has come. */
export interface ListWork<Request> {
  readonly worktree: HeldWorktree;
  readonly request: Request;
}

/** {@link listTree} in the thread that this is called in. */
export function listTreeHere({ worktree, request }: ListWork<TreeRequest>): Tree {
  return withHeldSandbox(worktree, (sandbox) => listTree(sandbox, request, { timeoutMs: LIST_TIMEOUT_MS }));
}

/**
 * The directory that `path` means, from the worktree, links resolved.
 *
 * @throws {SandboxError} When it is Git's own.
 */
export function listedDirectory(sandbox: Sandbox, path: string, attempt: string): string {
  const directory = sandbox.openDirectory(path);
  directory.close();
  if (!directory.path.split("/").some(isGitDirectory)) return directory.path;
  throw new SandboxError(`${attempt}: .git is Git's own and not listed, use other directories`, {
    code: "protected_path",
  });
}

/** An entry by its place in the order of paths: a directory ends with a slash. */
interface Entry {
  readonly key: string;
  readonly isDirectory: boolean;
}

class TreeWalk {
  readonly #sandbox: Sandbox;
  readonly #request: TreeRequest;
  readonly #budget: TreeBudget;
  readonly #reader: TreeFiles;
  readonly #tracked: TrackedFiles;
  readonly #matcher: ReturnType<typeof pathMatcher> | undefined;
  readonly #rules = new Map<string, IgnoreRules | "ignored">();
  readonly #start: string;
  readonly #insideIgnored: boolean;
  readonly #deadline: number;
  readonly #files: string[] = [];
  readonly #directories: string[] = [];
  readonly #unreadable: string[] = [];
  #reached: string | undefined;
  #entries = 0;
  #stopped = false;
  #ignored = 0;
  #links = 0;
  #nameless = 0;
  #rulesLeftOut = 0;

  constructor(sandbox: Sandbox, request: TreeRequest, budget: TreeBudget) {
    const { path, pattern, recursive, includeIgnored, attempt } = request;
    this.#sandbox = sandbox;
    this.#request = request;
    this.#budget = budget;
    this.#start = listedDirectory(sandbox, path, attempt);
    this.#deadline = performance.now() + (budget.timeoutMs ?? Infinity);
    this.#matcher = pattern === undefined ? undefined : pathMatcher(pattern, recursive);
    this.#tracked = new TrackedFiles(sandbox, budget);
    this.#insideIgnored = !includeIgnored && this.#rulesIn(this.#start) === "ignored";
    if (this.#insideIgnored) {
      this.#rules.clear();
      this.#rules.set(this.#start, this.#withOwn(IgnoreRules.none, this.#start));
    }
    this.#reader = new TreeFiles(sandbox);
  }

  run(): Tree {
    this.#walk(this.#start);
    return {
      files: this.#files,
      directories: this.#directories.toSorted(),
      ignored: this.#ignored,
      links: this.#links,
      unreadable: this.#unreadable,
      nameless: this.#nameless,
      rulesLeftOut: this.#rulesLeftOut,
      insideIgnored: this.#insideIgnored,
      complete: !this.#isFull() && !this.#stopped,
      reached: this.#reached,
      stopped: this.#stopped,
    };
  }

  close(): void {
    this.#reader.close();
  }

  #walk(directory: string): void {
    const { recursive } = this.#request;
    const entries = this.#entriesIn(directory).toSorted((one, other) => (one.key < other.key ? -1 : 1));
    for (const { key, isDirectory } of entries) {
      if (this.#isFull() || this.#leavesRest()) return;
      const path = isDirectory ? key.slice(0, -1) : key;
      const matches = this.#matcher?.matches(this.#inStart(path)) ?? true;
      if (!isDirectory) {
        this.#reached = path;
        if (matches) this.#files.push(path);
      } else {
        if (!recursive && matches) this.#directories.push(path);
        if (this.#matcher?.mayHold(this.#inStart(key)) ?? recursive) this.#walk(path);
      }
    }
  }

  /**
   * Whether the listing has stopped, and another one goes on with the rest: also with the directory that was being read, of which
   * only some entries are known, in no order.
   */
  #leavesRest(): boolean {
    return this.#stopped && this.#request.recursive;
  }

  #isFull(): boolean {
    return this.#files.length >= (this.#request.maxFiles ?? Infinity);
  }

  /** A path from the worktree as one from the directory that is listed. */
  #inStart(path: string): string {
    return this.#start === "" ? path : path.slice(this.#start.length + 1);
  }

  /** The entries of a directory that are to be listed or entered, in no order. None once the listing has stopped. */
  #entriesIn(directory: string): Entry[] {
    if (this.#isSpent()) return [];
    const counted = [this.#ignored, this.#links, this.#nameless] as const;
    try {
      const { maxDirectoryBytes } = this.#budget;
      this.#stopped = maxDirectoryBytes !== undefined && this.#reader.directorySize(directory) > maxDirectoryBytes;
      if (this.#stopped) return [];
      const { entries, nameless } = this.#reader.readEntries(directory);
      this.#entries += entries.length;
      this.#nameless += nameless;
      return this.#choose(directory, entries);
    } catch (error) {
      if (isTooManyOpenFiles(error)) throw toFilesError(error, this.#request.attempt);
      // An entry that is gone, or is no directory any more, does not count as unreadable.
      if (!NO_DIRECTORY.has(systemCode(error) ?? "")) this.#unreadable.push(directory);
      return [];
    } finally {
      // Counted by the part before this one, which has read the directory too, or by the one that goes on.
      const wasRead = this.#request.after?.path.startsWith(directory === "" ? "" : `${directory}/`) ?? false;
      if (wasRead || this.#leavesRest()) [this.#ignored, this.#links, this.#nameless] = counted;
    }
  }

  #choose(directory: string, entries: readonly Dirent[]): Entry[] {
    const { includeIgnored, includeHidden, links, after } = this.#request;
    const hasOwnRules = entries.some(({ name }) => name === ".gitignore");
    const rules = includeIgnored ? IgnoreRules.none : this.#rulesIn(directory, hasOwnRules);
    if (!entries.some(({ name }) => name === ".git")) this.#tracked.holdsNone(directory);
    const chosen: Entry[] = [];
    for (const [index, entry] of entries.entries()) {
      // With many rules one entry takes milliseconds.
      if (index % ENTRIES_BETWEEN_LOOKS === 0 && this.#isSpent()) break;
      const { name } = entry;
      if (isGitDirectory(name) || isTemporaryName(name) || (!includeHidden && name.startsWith("."))) continue;
      const isDirectory = entry.isDirectory();
      const key = orderKey(directory, name, isDirectory);
      if (!comesAfter(key, after) || this.#matcher?.isOnTheWay(this.#inStart(key)) === false) continue;
      const path = isDirectory ? key.slice(0, -1) : key;
      if (isIgnored(rules, path, isDirectory) && !this.#tracked.has(path)) this.#ignored += 1;
      else if (isDirectory || entry.isFile()) chosen.push({ key, isDirectory });
      // Pipes, sockets and devices are no files.
      else if (!entry.isSymbolicLink()) continue;
      else if (links && this.#sandbox.kindOf(path) === "file") chosen.push({ key, isDirectory });
      else this.#links += 1;
    }
    this.#stopped ||= this.#tracked.tooLong && this.#budget.maxIndexBytes !== undefined;
    return chosen;
  }

  /** Whether the listing has to stop, which it then does for good. */
  #isSpent(): boolean {
    const late = this.#entries > MIN_ENTRIES && performance.now() > this.#deadline;
    this.#stopped ||= late || this.#entries >= (this.#budget.maxEntries ?? MAX_ENTRIES);
    return this.#stopped;
  }

  /** The rules that apply in a directory, or that it is ignored itself. `own` spares a look when it has no `.gitignore`. */
  #rulesIn(directory: string, own = true): IgnoreRules | "ignored" {
    const known = this.#rules.get(directory);
    if (known !== undefined) return known;
    const parent = directory === "" ? IgnoreRules.none : this.#rulesIn(parentOf(directory));
    const rules = isIgnored(parent, directory, true) ? "ignored" : parent;
    const found = own && rules !== "ignored" ? this.#withOwn(rules, directory) : rules;
    this.#rules.set(directory, found);
    return found;
  }

  #withOwn(rules: IgnoreRules, directory: string): IgnoreRules {
    const found = readGitignore(this.#sandbox, directory);
    this.#stopped ||= (found?.length ?? 0) > (this.#budget.maxIgnoreChars ?? Infinity);
    const own = found === undefined || this.#stopped ? rules : rules.with(directory, found);
    this.#rulesLeftOut += own.leftOut - rules.leftOut;
    return own;
  }
}

function isIgnored(rules: IgnoreRules | "ignored", path: string, isDirectory: boolean): boolean {
  return rules === "ignored" || rules.ignores(path, isDirectory);
}

import type fs from "node:fs";
import type { Dirent, Stats } from "node:fs";
import { relative, resolve, sep } from "node:path";
import type { FileSystemAdapter } from "fast-glob";
import { isTooManyOpenFiles, systemCode, toFilesError } from "../error/system-error.ts";
import { isGitDirectory, parentOf } from "../sandbox/path-segments.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { isTemporaryName } from "../sandbox/temporary-files.ts";
import { fromGlobName, toGlobName } from "./glob-pattern.ts";
import { IgnoreRules, readGitignore } from "./ignore-rules.ts";
import { TrackedFiles } from "./tracked-files.ts";
import { TreeFiles } from "./tree-files.ts";
import { isReadByAll, lists, mayEnter, type Tree, type TreeRequest } from "./tree.ts";

/** Entries looked at before a listing ends, so that memory is bounded. */
export const MAX_ENTRIES: number = 1_000_000;
/** Directories read before the event loop may do other work. */
const READ_AT_A_TIME = 16;
/** Entries that are looked at however long that takes, so that a busy machine does not make a small tree a large one. */
const MIN_ENTRIES = 128;
/** Entries of a directory between two looks at the clock. */
const ENTRIES_BETWEEN_LOOKS = 8;
/** The system's codes for a path that leads to no directory, or over a link. */
const NO_DIRECTORY = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ESTALE"]);
/** Where the worktree seems to be for the glob engine, which sees no other part of the disk. */
export const VIRTUAL_ROOT: string = resolve("/worktree");

/** Reads directories for the glob engine and hides entries that are not to be listed. */
export class TreeReader {
  readonly #sandbox: Sandbox;
  readonly #request: TreeRequest;
  readonly #files: TreeFiles;
  readonly #tracked: TrackedFiles;
  readonly #rules = new Map<string, IgnoreRules | "ignored">();
  readonly #insideIgnored: boolean;
  readonly #start: number;
  readonly #startDepth: number;
  readonly #deadline: number;
  #entries = 0;
  #stopped = false;
  #read = 0;
  #ignored = 0;
  #links = 0;
  readonly #unreadable: string[] = [];
  #nameless = 0;
  #failure: unknown;
  #rulesLeftOut = 0;

  constructor(sandbox: Sandbox, request: TreeRequest, start: string) {
    this.#sandbox = sandbox;
    this.#request = request;
    this.#deadline = performance.now() + (request.budget?.timeoutMs ?? Infinity);
    this.#files = new TreeFiles(sandbox);
    this.#tracked = new TrackedFiles(sandbox, request.budget);
    this.#startDepth = start === "" ? 0 : start.split("/").length;
    this.#insideIgnored = !request.includeIgnored && this.#rulesIn(start) === "ignored";
    if (this.#insideIgnored) {
      this.#rules.clear();
      this.#rules.set(start, this.#withOwn(IgnoreRules.none, start));
    }
    this.#start = start === "" ? 0 : start.length + 1;
    // Another part of the listing counts them.
    if ((request.share?.index ?? 0) > 0) this.#rulesLeftOut = 0;
  }

  get adapter(): FileSystemAdapter {
    const stat = (path: string, done: (error: NodeJS.ErrnoException | null, stats?: fs.Stats) => void) =>
      this.#stat(path, done);
    const readdir = (
      path: string,
      _options: unknown,
      done: (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void,
    ) => this.#readDirectory(path, (entries) => done(null, entries));
    return { lstat: stat, stat, readdir } as unknown as FileSystemAdapter;
  }

  close(): void {
    this.#files.close();
  }

  /** Counts of omitted entries. Throws when the host could open no more files: then the counts are unknown. */
  counts(): Omit<Tree, "files" | "directories"> {
    if (this.#failure !== undefined) throw toFilesError(this.#failure, this.#request.attempt);
    return {
      ignored: this.#ignored,
      links: this.#links,
      unreadable: this.#unreadable,
      nameless: this.#nameless,
      rulesLeftOut: this.#rulesLeftOut,
      insideIgnored: this.#insideIgnored,
      incomplete: this.#stopped,
    };
  }

  /** Whether this part of the listing lists the entries of the directory that a path is in. */
  isOwn(path: string): boolean {
    const inside = path.slice(this.#start).replace(/\/$/, "");
    return lists(this.#request.share, inside.slice(0, Math.max(0, inside.lastIndexOf("/"))));
  }

  /** Asked of every result, since a pattern without magic is looked up without its directory being read. */
  isListed(path: string): boolean {
    const names = path.replace(/\/$/, "").split("/");
    if (names.some(isGitDirectory) || isTemporaryName(names.at(-1) ?? "")) return false;
    if (!this.#request.includeHidden && names.slice(this.#startDepth).some((name) => name.startsWith(".")))
      return false;
    if (this.#request.includeIgnored) return true;
    const parent = this.#rulesIn(names.slice(0, -1).join("/"));
    const own = names.join("/");
    return !isIgnored(parent, own, path.endsWith("/")) || this.#tracked.has(own);
  }

  /** A path from the worktree, or `undefined` for one that is not below it. */
  #fromWorktree(virtual: string): string | undefined {
    const path = fromGlobName(relative(VIRTUAL_ROOT, resolve(virtual)).split(sep).join("/"));
    return path === ".." || path.startsWith("../") ? undefined : path;
  }

  #readDirectory(virtual: string, done: (entries: Dirent[]) => void): void {
    const path = this.#fromWorktree(virtual);
    const { signal } = this.#request;
    if (
      path === undefined ||
      signal?.aborted ||
      this.#isSpent() ||
      (path !== "" && path.split("/").some(isGitDirectory))
    ) {
      setImmediate(done, []);
      return;
    }
    const chosen = this.#entriesOfShare(path).map(renamed);
    this.#read += 1;
    // The event loop may do other work, but not after each directory.
    if (this.#read % READ_AT_A_TIME === 0) setImmediate(done, chosen);
    else process.nextTick(done, chosen);
  }

  /** The entries of a directory that this part of the listing has to list or to enter. */
  #entriesOfShare(path: string): Dirent[] {
    const { share } = this.#request;
    if (share === undefined || share.count === 1) return this.entriesOf(path);
    const inside = path.slice(this.#start);
    if (!isReadByAll(inside)) return lists(share, inside) ? this.entriesOf(path) : [];
    const entries = share.index === 0 ? this.entriesOf(path) : this.#entriesUncounted(path);
    return entries.filter((entry) =>
      entry.isDirectory() ? mayEnter(share, inside === "" ? entry.name : `${inside}/${entry.name}`) : share.index === 0,
    );
  }

  /** The entries of a directory, without the omissions, which another part of the listing counts. */
  #entriesUncounted(path: string): Dirent[] {
    const [left, unreadable] = [this.#rulesLeftOut, this.#unreadable.length];
    const before = [this.#ignored, this.#links, this.#nameless] as const;
    const entries = this.entriesOf(path);
    [this.#ignored, this.#links, this.#nameless] = before;
    this.#rulesLeftOut = left;
    this.#unreadable.length = unreadable;
    return entries;
  }

  /**
   * The result of {@link TreeReader.entriesOf} without the entries that are not wanted, which no rule is asked about.
   * Counted unless it was before, or will be when a later page goes on.
   */
  entriesInOrder(path: string, counted: boolean, isWanted: (entry: Dirent) => boolean): Dirent[] {
    const before = [this.#ignored, this.#links, this.#nameless] as const;
    const entries = this.entriesOf(path, isWanted);
    if (counted || this.#stopped) [this.#ignored, this.#links, this.#nameless] = before;
    return entries;
  }

  /** The entries of a directory that are to be listed or entered. None once the listing has {@link TreeReader.stopped}. */
  entriesOf(path: string, isWanted?: (entry: Dirent) => boolean): Dirent[] {
    if (this.#isSpent()) return [];
    try {
      const maxBytes = this.#request.budget?.maxDirectoryBytes;
      this.#stopped ||= maxBytes !== undefined && this.#files.directorySize(path) > maxBytes;
      if (this.#stopped) return [];
      const { entries, nameless } = this.#files.readEntries(path);
      this.#entries += entries.length;
      this.#nameless += nameless;
      return this.#choose(path, entries, isWanted);
    } catch (error) {
      if (isTooManyOpenFiles(error)) this.#fail(error);
      // An entry that is gone, or is no directory any more, does not count as unreadable.
      else if (!NO_DIRECTORY.has(systemCode(error) ?? "")) this.#unreadable.push(path);
      return [];
    }
  }

  /** Whether the listing ended before it had looked at everything. */
  get stopped(): boolean {
    return this.#stopped;
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#stopped = true;
  }

  /** Whether the listing has to stop, which it then does for good. */
  #isSpent(): boolean {
    const { maxEntries = MAX_ENTRIES } = this.#request.budget ?? {};
    const late = this.#entries > MIN_ENTRIES && performance.now() > this.#deadline;
    this.#stopped ||= late || this.#entries >= maxEntries;
    return this.#stopped;
  }

  #choose(directory: string, entries: readonly Dirent[], isWanted?: (entry: Dirent) => boolean): Dirent[] {
    const known = this.#request.includeIgnored
      ? IgnoreRules.none
      : this.#rulesIn(
          directory,
          entries.some(({ name }) => name === ".gitignore"),
        );
    if (!entries.some(({ name }) => name === ".git")) this.#tracked.holdsNone(directory);
    const prefix = directory === "" ? "" : `${directory}/`;
    const hidden = !this.#request.includeHidden;
    const chosen: Dirent[] = [];
    for (const [index, entry] of entries.entries()) {
      // With many rules one entry takes milliseconds.
      if (index % ENTRIES_BETWEEN_LOOKS === 0 && this.#isSpent()) break;
      const { name } = entry;
      if (isWanted?.(entry) === false) continue;
      if (isGitDirectory(name) || isTemporaryName(name) || (hidden && name.startsWith("."))) continue;
      const path = prefix + name;
      if (isIgnored(known, path, entry.isDirectory()) && !this.#tracked.has(path)) {
        this.#ignored += 1;
      } else if (entry.isFile() || entry.isDirectory()) {
        chosen.push(entry);
      } else if (!entry.isSymbolicLink()) {
        // Pipes, sockets and devices are no files.
      } else if (this.#request.links && this.#sandbox.kindOf(path) === "file") {
        chosen.push(entryLike(name, "file"));
      } else {
        this.#links += 1;
      }
    }
    this.#stopped ||= this.#tracked.tooLong && this.#request.budget?.maxIndexBytes !== undefined;
    return chosen;
  }

  /** The rules that apply in a directory, or that it is ignored itself. `own` spares a look when it has no `.gitignore`. */
  #rulesIn(directory: string, own = true): IgnoreRules | "ignored" {
    const known = this.#rules.get(directory);
    if (known !== undefined) return known;
    const parent =
      directory === ""
        ? IgnoreRules.none
        : this.#rulesIn(directory.includes("/") ? directory.slice(0, directory.lastIndexOf("/")) : "");
    const rules =
      parent === "ignored" || parent.ignores(directory, true)
        ? "ignored"
        : own
          ? this.#withOwn(parent, directory)
          : parent;
    this.#rules.set(directory, rules);
    return rules;
  }

  #withOwn(rules: IgnoreRules, directory: string): IgnoreRules {
    const found = readGitignore(this.#sandbox, directory);
    this.#stopped ||= (found?.length ?? 0) > (this.#request.budget?.maxIgnoreChars ?? Infinity);
    const text = this.#stopped ? undefined : found;
    const own = text === undefined ? rules : rules.with(directory, text);
    this.#rulesLeftOut += own.leftOut - rules.leftOut;
    return own;
  }

  /** Whether the way to a path leads over a link, which a listing does not enter. */
  #isBelowLink(path: string): boolean {
    const parent = parentOf(path);
    try {
      const directory = this.#sandbox.openDirectory(parent === "" ? "." : parent);
      directory.close();
      return directory.path !== parent;
    } catch (error) {
      if (isTooManyOpenFiles(error)) this.#fail(error);
      return true;
    }
  }

  #stat(virtual: string, done: (error: NodeJS.ErrnoException | null, stats?: fs.Stats) => void): void {
    const path = this.#fromWorktree(virtual);
    const kind = path === undefined || this.#isBelowLink(path) ? undefined : this.#sandbox.kindOf(path);
    const missing = Object.assign(new Error("ENOENT"), { code: "ENOENT" });
    if (kind === undefined) setImmediate(done, missing);
    else setImmediate(done, null, entryLike("", kind));
  }
}

function isIgnored(rules: IgnoreRules | "ignored", path: string, isDirectory: boolean): boolean {
  return rules === "ignored" || rules.ignores(path, isDirectory);
}

/** An entry of a directory as the glob engine is to see it. */
function renamed(entry: Dirent): Dirent {
  const name = toGlobName(entry.name);
  if (name === entry.name) return entry;
  return entryLike(name, entry.isDirectory() ? "directory" : entry.isFile() ? "file" : "other");
}

/** The part of an entry, and of a file's properties, that the glob engine asks for. */
function entryLike(name: string, kind: "file" | "directory" | "other"): Dirent & Stats {
  const no = () => false;
  const entry = {
    name,
    isFile: () => kind === "file",
    isDirectory: () => kind === "directory",
    isSymbolicLink: no,
    isFIFO: no,
    isSocket: no,
    isBlockDevice: no,
    isCharacterDevice: no,
  };
  return entry as unknown as Dirent & Stats;
}

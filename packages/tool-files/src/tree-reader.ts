import fs, { type Dirent } from "node:fs";
import { relative, resolve, sep } from "node:path";
import type { FileSystemAdapter } from "fast-glob";
import { isGitFolder } from "./control-folder.ts";
import { DirectoryPool } from "./directory-pool.ts";
import { FileNotFoundError, WrongKindError } from "./files-error.ts";
import { entryLike, renamed } from "./glob-entry.ts";
import { fromGlobName, toGlobName } from "./glob-name.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Tree, TreeRequest } from "./tree.ts";

/** Entries looked at before a listing ends, so that memory is bounded. */
const MAX_ENTRIES = 1_000_000;
/** Bytes of a `.gitignore` that are read. */
const MAX_GITIGNORE = 256 * 1024;
/** Where the worktree seems to be for the glob engine, which sees no other part of the disk. */
export const VIRTUAL_ROOT: string = resolve("/worktree");

/** Reads directories for the glob engine and keeps from it what is not to be listed. */
export class TreeReader {
  readonly #sandbox: Sandbox;
  readonly #request: TreeRequest;
  readonly #pool: DirectoryPool;
  readonly #rules = new Map<string, IgnoreRules | "ignored">();
  readonly #insideIgnored: boolean;
  #entries = 0;
  #ignored = 0;
  #links = 0;
  #unreadable = 0;
  #rulesLeftOut = 0;

  constructor(sandbox: Sandbox, request: TreeRequest, start: string) {
    this.#sandbox = sandbox;
    this.#request = request;
    this.#pool = new DirectoryPool(sandbox);
    this.#insideIgnored = !request.includeIgnored && this.#rulesIn(start) === "ignored";
    if (this.#insideIgnored) {
      this.#rules.clear();
      this.#rules.set(start, this.#withOwn(IgnoreRules.none, start));
    }
  }

  /** What the glob engine takes for the file system. */
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

  /** Lets go of the directories it holds. */
  close(): void {
    this.#pool.close();
  }

  counts(): Omit<Tree, "files" | "directories"> {
    return {
      ignored: this.#ignored,
      links: this.#links,
      unreadable: this.#unreadable,
      rulesLeftOut: this.#rulesLeftOut,
      insideIgnored: this.#insideIgnored,
      incomplete: this.#entries >= MAX_ENTRIES,
    };
  }

  /** Asked of every result, since a pattern without magic is looked up without its directory being read. */
  isListed(path: string): boolean {
    const names = path.replace(/\/$/, "").split("/");
    if (names.some(isGitFolder)) return false;
    if (this.#request.includeIgnored) return true;
    const parent = this.#rulesIn(names.slice(0, -1).join("/"));
    return parent !== "ignored" && !parent.ignores(names.join("/"), path.endsWith("/"));
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
      this.#entries >= MAX_ENTRIES ||
      (path !== "" && path.split("/").some(isGitFolder))
    ) {
      setImmediate(done, []);
      return;
    }
    try {
      const directory = this.#pool.open(path);
      if (directory.path !== path) {
        // A link came in its place: what it leads to is listed under its own name.
        directory.close();
        setImmediate(done, []);
        return;
      }
      directory.readEntries((error, entries) => {
        if (error !== null) this.#unreadable += 1;
        this.#entries += entries.length;
        const chosen = this.#choose(path, entries);
        this.#pool.keep(directory, chosen);
        done(chosen);
      });
    } catch (error) {
      // What is gone, or is no directory any more, is not there to be read.
      if (!(error instanceof FileNotFoundError || error instanceof WrongKindError)) this.#unreadable += 1;
      setImmediate(done, []);
    }
  }

  #choose(directory: string, entries: readonly Dirent[]): Dirent[] {
    const known = this.#request.includeIgnored
      ? IgnoreRules.none
      : this.#rulesIn(
          directory,
          entries.some(({ name }) => name === ".gitignore"),
        );
    if (known === "ignored") return [];
    const prefix = directory === "" ? "" : `${directory}/`;
    const chosen: Dirent[] = [];
    for (const entry of entries) {
      const { name } = entry;
      if (isGitFolder(name)) continue;
      const path = prefix + name;
      if (known.ignores(path, entry.isDirectory())) {
        this.#ignored += 1;
      } else if (!entry.isSymbolicLink()) {
        chosen.push(renamed(entry));
      } else if (this.#request.links && this.#sandbox.kindOf(path) === "file") {
        chosen.push(entryLike(toGlobName(name), "file"));
      } else {
        this.#links += 1;
      }
    }
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
    const ignored = parent === "ignored" || parent.ignores(directory, true);
    const rules = ignored ? "ignored" : own ? this.#withOwn(parent, directory) : parent;
    this.#rules.set(directory, rules);
    return rules;
  }

  #withOwn(rules: IgnoreRules, directory: string): IgnoreRules {
    const text = this.#gitignoreOf(directory);
    const own = text === undefined ? rules : rules.with(directory, text);
    this.#rulesLeftOut += own.leftOut - rules.leftOut;
    return own;
  }

  /** Like Git, does not follow a `.gitignore` that is a link. */
  #gitignoreOf(directory: string): string | undefined {
    const path = directory === "" ? ".gitignore" : `${directory}/.gitignore`;
    try {
      const file = this.#sandbox.openFile(path);
      try {
        if (file.path !== path) return undefined;
        const bytes = Buffer.alloc(Math.min(file.size, MAX_GITIGNORE));
        return bytes.toString("utf8", 0, fs.readSync(file.fd, bytes, 0, bytes.length, 0));
      } finally {
        file.close();
      }
    } catch {
      return undefined;
    }
  }

  #stat(virtual: string, done: (error: NodeJS.ErrnoException | null, stats?: fs.Stats) => void): void {
    const path = this.#fromWorktree(virtual);
    const kind = path === undefined ? undefined : this.#sandbox.kindOf(path);
    const missing = Object.assign(new Error("ENOENT"), { code: "ENOENT" });
    if (kind === undefined) setImmediate(done, missing);
    else setImmediate(done, null, entryLike("", kind));
  }
}

import fs from "node:fs";
import { isTooManyOpenFiles } from "../error/system-error.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { indexedPaths } from "./git-index.ts";

/** Bytes of an index that are read: that of a million files. */
const MAX_INDEX = 128 * 1024 * 1024;
/** Paths looked for in the bytes before the index is taken apart, which takes far longer. */
const QUICK_LOOKS = 8;

/** Limits for reading indexes. */
export interface IndexBudget {
  /** Bytes of an index that are read. Default 128 MiB. */
  readonly maxIndexBytes?: number;
  /** Bytes of an index that is taken apart. Default: the same. */
  readonly maxParsedBytes?: number;
}

/** Limits on the main thread. */
export const QUICK_INDEX: IndexBudget = { maxIndexBytes: 8 * 1024 * 1024, maxParsedBytes: 1024 * 1024 };

/**
 * The paths that the repositories of a worktree track, to which Git's ignore rules do not apply. Read only when a rule
 * matches something, and only from `.git/index` inside the worktree: a `.git` that is a file or a link points
 * elsewhere.
 */
export class TrackedFiles {
  readonly #sandbox: Sandbox;
  readonly #budget: Required<IndexBudget>;
  readonly #repositories = new Map<string, Repository | undefined>();
  #tooLong = false;

  constructor(sandbox: Sandbox, { maxIndexBytes = MAX_INDEX, maxParsedBytes = maxIndexBytes }: IndexBudget = {}) {
    this.#sandbox = sandbox;
    this.#budget = { maxIndexBytes, maxParsedBytes };
  }

  /** Whether the budget was too small for a look, whose answer was then no. */
  get tooLong(): boolean {
    return this.#tooLong;
  }

  /** Spares a look at a directory that is known to hold no `.git`. */
  holdsNone(directory: string): void {
    this.#repositories.set(directory, undefined);
  }

  /** Whether a path from the worktree is tracked, or is a directory with tracked files in it. */
  has(path: string): boolean {
    for (let at = path.lastIndexOf("/"); ; at = path.lastIndexOf("/", at - 1)) {
      const directory = at === -1 ? "" : path.slice(0, at);
      if (!this.#repositories.has(directory)) this.#repositories.set(directory, this.#open(directory));
      const repository = this.#repositories.get(directory);
      if (repository !== undefined) return this.#tracks(repository, path.slice(at + 1));
      if (at === -1) return false;
    }
  }

  #tracks(repository: Repository, path: string): boolean {
    const { index } = repository;
    if (repository.paths === undefined) {
      // Version 4 leaves out the prefix that a path shares with the one before.
      if (index[7] !== 4 && repository.looks < QUICK_LOOKS) {
        repository.looks += 1;
        if (!index.includes(path)) return false;
      }
      if (index.length > this.#budget.maxParsedBytes) {
        this.#tooLong = true;
        return false;
      }
      repository.paths = withDirectories(indexedPaths(index) ?? []);
    }
    return repository.paths.has(path);
  }

  /** The repository whose top is this directory; `undefined` if it is no such directory. */
  #open(directory: string): Repository | undefined {
    const top = directory === "" ? ".git" : `${directory}/.git`;
    const kind = this.#sandbox.kindOf(top);
    if (kind === undefined) return undefined;
    const index = kind === "directory" ? this.#read(`${top}/index`) : Buffer.alloc(0);
    return { index, paths: undefined, looks: 0 };
  }

  #read(path: string): Buffer {
    const none = Buffer.alloc(0);
    try {
      const file = this.#sandbox.openFile(path);
      try {
        if (file.path !== path) return none;
        this.#tooLong ||= file.size > this.#budget.maxIndexBytes;
        if (file.size > this.#budget.maxIndexBytes) return none;
        const bytes = Buffer.allocUnsafe(file.size);
        return bytes.subarray(0, fs.readSync(file.fd, bytes, 0, bytes.length, 0));
      } finally {
        file.close();
      }
    } catch (error) {
      if (isTooManyOpenFiles(error)) throw error;
      return none;
    }
  }
}

interface Repository {
  readonly index: Buffer;
  /** Its tracked paths, once known, and the directories that hold them. */
  paths: ReadonlySet<string> | undefined;
  /** How often it was looked into without knowing that. */
  looks: number;
}

function withDirectories(paths: readonly string[]): ReadonlySet<string> {
  const all = new Set(paths);
  for (const path of paths) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const above = path.slice(0, at);
      if (all.has(above)) break;
      all.add(above);
    }
  }
  return all;
}

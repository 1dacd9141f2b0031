import { isTooManyOpenFiles } from "../error/system-error.ts";
import { type Sandbox, withOpenFile } from "../sandbox/sandbox.ts";
import { fill } from "../text/bytes.ts";

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
      return withOpenFile(this.#sandbox, path, (file) => {
        if (file.path !== path) return none;
        this.#tooLong ||= file.size > this.#budget.maxIndexBytes;
        return file.size > this.#budget.maxIndexBytes ? none : fill(file.fd, Buffer.allocUnsafe(file.size), 0);
      });
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

/** Bytes of an entry before its name, without those of its hash. */
const ENTRY_HEAD = 42;
/** Bytes of the file before its entries. */
const FILE_HEAD = 12;
/** Bytes of a hash: SHA-1, SHA-256. */
const HASHES = [20, 32];
const EXTENDED = 0x4000;
const NAME_LENGTH = 0xfff;

/**
 * The paths in a Git index of version 2, 3 or 4, in its order. `undefined` when it is damaged or of another kind: nothing of
 * it is believed then. The format is that of Git's `gitformat-index`.
 */
export function indexedPaths(index: Buffer): string[] | undefined {
  if (index.length < FILE_HEAD || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  for (const hash of HASHES) {
    const paths = pathsIn(index, version, hash);
    if (paths !== undefined) return paths;
  }
  return undefined;
}

function pathsIn(index: Buffer, version: number, hash: number): string[] | undefined {
  const count = index.readUInt32BE(8);
  const end = index.length - hash;
  const paths: string[] = [];
  let at = FILE_HEAD;
  let previous = Buffer.alloc(0);
  for (let nth = 0; nth < count; nth += 1) {
    if (at + ENTRY_HEAD + hash >= end) return undefined;
    const flags = index.readUInt16BE(at + ENTRY_HEAD + hash - 2);
    let name = at + ENTRY_HEAD + hash + ((flags & EXTENDED) !== 0 ? 2 : 0);
    let kept = 0;
    if (version === 4) {
      const cut = variableNumber(index, name);
      if (cut === undefined || cut.value > previous.length) return undefined;
      kept = previous.length - cut.value;
      name = cut.next;
    }
    const close = index.indexOf(0, name);
    const known = flags & NAME_LENGTH;
    const length = kept + close - name;
    if (close === -1 || close >= end || length === 0 || (known !== NAME_LENGTH && known !== length)) return undefined;
    const path = Buffer.concat([previous.subarray(0, kept), index.subarray(name, close)]);
    // Entries are sorted; one path may stand there with several stages of a merge.
    if (Buffer.compare(previous, path) > 0) return undefined;
    paths.push(path.toString("utf8"));
    previous = path;
    at = version === 4 ? close + 1 : at + ((close - at + 8) & ~7);
  }
  return paths;
}

/** A number in groups of seven bits, as Git's packs have offsets. */
function variableNumber(bytes: Buffer, at: number): { readonly value: number; readonly next: number } | undefined {
  let value = 0;
  for (let next = at; next < at + 5; next += 1) {
    const byte = bytes[next];
    if (byte === undefined) return undefined;
    value = (next === at ? 0 : (value + 1) * 128) + (byte & 127);
    if (byte < 128) return { value, next: next + 1 };
  }
  return undefined;
}

import fs, { type BigIntStats } from "node:fs";
import { join, resolve } from "node:path";
import { SandboxError } from "../error/files-error.ts";
import { isTooManyOpenFiles, systemCode, toFilesError } from "../error/system-error.ts";
import { assertAbsent, assertUnchanged, makeFile, removeFile, replaceable, replaceFile } from "./atomic-write.ts";
import {
  type DirectoryHandle,
  isExecutable,
  readLink,
  staleError,
  systemErrorOf,
  wholeBytes,
  type WholeFile,
  withWholeFile,
} from "./directory-handle.ts";
import { assertFree, type HeldName, movable, movedEntries, moveHeld, removeDirectory } from "./move-path.ts";
import { attemptOn, pathSegments } from "./path-segments.ts";
import { HeldDirectory, type SandboxDirectory } from "./sandbox-directory.ts";
import {
  type EntryKind,
  type MayWrite,
  type PendingWrite,
  refuseGit,
  type SandboxHooks,
  type SandboxStrength,
  type WriteJournal,
} from "./sandbox-hooks.ts";
import { namesOf, type WalkOptions, walkPath, type WalkResult } from "./walk-path.ts";

/** A regular file of the worktree, open for reading. */
export interface SandboxFile {
  /** Its file descriptor. Not to be closed but by {@link SandboxFile.close}. */
  readonly fd: number;
  /** Its path from the worktree, links resolved, with `/` between names. */
  readonly path: string;
  /** Its length in bytes when it was opened. */
  readonly size: number;
  /** Closes it. Must be called. */
  close(): void;
}

/** A file read whole to be changed, and its path with links resolved. See `Sandbox.changeFile`. */
export type ChangeFile = (bytes: Buffer, path: string) => Uint8Array;

/**
 * Called before a file, directory or link is moved or removed, with the bytes of the file or of the link's target, if
 * it has at most 8 MiB, and its path. If it throws, nothing is changed.
 */
export type CheckChange = (bytes: Buffer | undefined, path: string, kind: EntryKind) => void;

/** How a file is written. */
export interface WriteHow {
  /** Whether it may be run as a program, by those who may read it. Default: as before, a new file not. */
  readonly executable?: boolean | undefined;
  /** Permissions of a file that is created. Default: those of any new file. */
  readonly mode?: number | undefined;
}

/** The result of a write. */
export interface Written {
  /** Its path from the worktree, links resolved. */
  readonly path: string;
  /** Whether there was no such file before. */
  readonly created: boolean;
  /** How long the file was that `Sandbox.writeFile` replaced, in bytes. `undefined`: none was, or there is no journal. */
  readonly replacedBytes?: number;
}

/** The system's codes for a name that another process exchanged between two looks at it. */
const EXCHANGED = new Set(["ELOOP", "ESTALE"]);

/** How often an operation is tried while names are exchanged under it. */
const MAX_ATTEMPTS = 16;
/** Longest file whose bytes are read before it is moved or removed: 8 MiB, as far as files have a version. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

type How = Pick<WalkOptions, "allowMissing" | "keepLastLink" | "makeDirectories" | "mayWrite"> & {
  readonly file?: boolean;
  /** Whether the first try assumes that the last name is no link. A check costs a tenth of a small read. */
  readonly seldomLink?: boolean;
};

/**
 * The only door to the disk: everything it opens, makes or replaces is inside one directory, the worktree. Paths are
 * relative to it; absolute ones are accepted inside it. Links are followed as long as they stay inside.
 *
 * Every method throws only errors of this package, whose messages name no path outside the worktree.
 *
 * @example
 * ```ts
 * const sandbox: Sandbox = openSandbox("/home/agent/project"); // `close()` it in the end
 * ```
 */
export class Sandbox {
  /** See {@link SandboxStrength}. */
  readonly strength: SandboxStrength;
  readonly #root: DirectoryHandle;
  readonly #hostPath: string;
  readonly #mayWrite: MayWrite;
  readonly #journal: WriteJournal | undefined;
  #roots: readonly string[] | undefined;
  #closed = false;

  /** Use {@link openSandbox}. */
  constructor(root: DirectoryHandle, hostPath: string, strength: SandboxStrength, hooks: SandboxHooks = {}) {
    this.#root = root;
    this.#hostPath = hostPath;
    this.#mayWrite = hooks.mayWrite ?? refuseGit;
    this.#journal = hooks.journal;
    this.strength = strength;
  }

  /** A path of the worktree for a child process started at once, as its working directory. */
  get workingDirectory(): string {
    return this.#root.self;
  }

  /**
   * The absolute host path that `path` means, with every link on the way resolved. A missing entry is allowed at the
   * end. For the host: never show it to a model, and do not open it later, when it may mean something else.
   *
   * @throws {SandboxError} When it is outside the worktree.
   */
  resolvePath(path: string): string {
    return join(this.#rootPaths()[1] ?? this.#hostPath, ...this.resolveNames(path));
  }

  /** The names from the worktree down that `path` means, as {@link Sandbox.resolvePath} finds them. */
  resolveNames(path: string): readonly string[] {
    return this.#at(path, attemptOn("resolve", path), { allowMissing: true }, namesOf);
  }

  /**
   * Whether {@link Sandbox.resolvePath} finds `path` inside the worktree, as the system would. True for a file or directories
   * that could still be made there. False when the walk cannot be finished: a `..` after a missing name, a file or an
   * unreadable directory on the way.
   */
  isWithinWorktree(path: string): boolean {
    try {
      this.resolvePath(path);
      return true;
    } catch {
      return false;
    }
  }

  /** Opens a regular file for reading. A pipe, socket or device is refused without being opened. */
  openFile(path: string): SandboxFile {
    return this.#at(path, attemptOn("read", path), { seldomLink: true }, ({ directory, name, ...place }) => {
      if (name === undefined) throw systemErrorOf("EISDIR");
      const { fd, stats } = directory.openFile(name);
      if (place.mustBeDirectory) {
        fs.closeSync(fd);
        throw systemErrorOf("ENOTDIR");
      }
      return { fd, path: [...place.parents, name].join("/"), size: Number(stats.size), close: () => fs.closeSync(fd) };
    });
  }

  /** Holds a directory for reading its entries. */
  openDirectory(path: string): SandboxDirectory {
    return this.#at(path, attemptOn("list", path), {}, ({ directory, name, parents }) => {
      const held = name === undefined ? directory.duplicate() : directory.enter(name);
      return new HeldDirectory(held, (name === undefined ? parents : [...parents, name]).join("/"));
    });
  }

  /** Whether `path` is, after links, a regular file or a directory of the worktree. `undefined`: neither, or outside. */
  kindOf(path: string): "file" | "directory" | undefined {
    try {
      return this.#at(path, attemptOn("look at", path), {}, ({ directory, name, mustBeDirectory }) => {
        if (name === undefined) return "directory";
        const stats = fs.lstatSync(directory.at(name));
        directory.verify();
        if (stats.isSymbolicLink()) throw staleError();
        return stats.isDirectory() ? "directory" : stats.isFile() && !mustBeDirectory ? "file" : undefined;
      });
    } catch (error) {
      if (isTooManyOpenFiles(error)) throw error;
      return undefined;
    }
  }

  /** Writes a whole file, making directories on the way. An existing file is replaced at once and keeps its mode. */
  writeFile(path: string, bytes: Uint8Array, { executable }: WriteHow = {}): Written {
    return this.#toWrite(path, "write", {}, ({ directory, name, parents }) => {
      const place = [...parents, name].join("/");
      const old = replaceable(directory, name);
      const written = { path: place, created: !old, ...(this.#journal && old && { replacedBytes: Number(old.size) }) };
      const replace = (seen?: BigIntStats) => {
        const still = () => (seen ? assertUnchanged(directory, name, seen) : assertAbsent(directory, name));
        replaceFile(directory, name, bytes, seen, still, executable);
      };
      if (this.#journal === undefined) {
        replace(old);
        return written;
      }
      const journaled = (before?: Buffer, seen?: BigIntStats) => {
        const change = { path: place, existed: old !== undefined, before, after: bytes, executable };
        this.#journaled(change, () => replace(seen), old);
        return written;
      };
      if (old === undefined) return journaled();
      const { maxFileBytes } = this.#journal;
      return withWholeFile(directory, name, maxFileBytes, (before) => journaled(before.bytes, before.stats));
    });
  }

  /** Writes a file that must not exist yet, making directories on the way. Throws {@link FileExistsError}. */
  createFile(path: string, bytes: Uint8Array, { executable, mode }: WriteHow = {}): Written {
    return this.#toWrite(path, "create", { keepLastLink: true }, ({ directory, name, parents }) => {
      const place = [...parents, name].join("/");
      const change = { path: place, existed: false, before: undefined, after: bytes, executable };
      this.#journaled(change, () => makeFile(directory, name, bytes, { executable, mode }));
      return { path: place, created: true };
    });
  }

  /**
   * Replaces a file by the result of `change` on its bytes. No other work of this process can interleave. If another
   * process changes the file meanwhile, calls `change` again with the new bytes. If it throws, nothing is changed.
   */
  changeFile(path: string, maxBytes: number, change: ChangeFile, { executable }: WriteHow = {}): Written {
    return this.#toWrite(path, "edit", { makeDirectories: false }, ({ directory, name, parents }, attempt) => {
      const place = [...parents, name].join("/");
      return withWholeFile(directory, name, maxBytes, ({ stats, ...read }) => {
        const bytes = wholeBytes({ stats, ...read }, maxBytes, attempt);
        replaceable(directory, name);
        const changed = change(bytes, place);
        const still = () => assertUnchanged(directory, name, stats);
        const write = { path: place, existed: true, before: bytes, after: changed, executable };
        this.#journaled(write, () => replaceFile(directory, name, changed, stats, still, executable), stats);
        return { path: place, created: false };
      });
    });
  }

  /**
   * Removes a file, an empty directory, or a symbolic link itself, unless `check` throws. What is removed is what was checked;
   * of a link never the file it leads to. Of a file longer than 8 MiB `check` gets no bytes.
   */
  removePath(path: string, check: CheckChange = () => {}): Written {
    const attempt = attemptOn("delete", path);
    return this.#at(path, attempt, { keepLastLink: true }, (place) => {
      const { held, names } = heldName(place, attempt, "deleted");
      this.#mayWrite(names, attempt);
      const { directory, name } = held;
      const change = { path: names.join("/"), existed: true, after: undefined, kind: "remove" } as const;
      const link = readLink(directory, name);
      const stats = link?.stats ?? fs.lstatSync(directory.at(name), { bigint: true });
      if (place.mustBeDirectory && !stats.isDirectory()) throw systemErrorOf("ENOTDIR");
      if (stats.isDirectory()) {
        check(undefined, change.path, "directory");
        this.#journaled({ ...change, before: undefined, entry: "directory" }, () =>
          removeDirectory(held, stats, attempt),
        );
      } else {
        const remove = ({ bytes, stats: seen }: WholeFile) => {
          const entry = link === undefined ? "file" : "link";
          check(bytes, change.path, entry);
          const kept = {
            before: bytes,
            entry,
            executable: isExecutable(seen),
            mode: Number(seen.mode & 0o777n),
          } as const;
          this.#journaled({ ...change, ...kept }, () => removeFile(directory, name, seen));
        };
        if (link === undefined) withWholeFile(directory, name, MAX_READ_BYTES, remove);
        else remove(link);
      }
      return { path: change.path, created: false };
    });
  }

  /**
   * Moves a file or directory to a name that is free, making directories on the way, unless `check` throws. Never replaces
   * anything, never moves a symbolic link. The rules for writing hold for all that a directory holds, at both places.
   */
  movePath(from: string, to: string, check: CheckChange = () => {}): Written {
    const attempt = attemptOn("move", from);
    const target = this.#at(to, attemptOn("move to", to), { allowMissing: true, keepLastLink: true }, namesOf);
    return this.#at(from, attempt, { keepLastLink: true }, (place) => {
      const { held: source, names } = heldName(place, attempt, "moved");
      const { directory, name } = source;
      const seen = movable(source, attempt);
      const entry: EntryKind = seen.isDirectory() ? "directory" : "file";
      if (place.mustBeDirectory && entry === "file") throw systemErrorOf("ENOTDIR");
      if (names.every((own, index) => own === target[index]))
        throw new SandboxError(`${attempt}: the new name is the same, or inside it`, { code: "invalid_path" });
      const places = [names, target];
      for (const at of places) this.#mayWrite(at, attempt);
      if (entry === "directory") this.#checkEntries(source, places, attempt);
      const bytes = entry === "file" ? withWholeFile(directory, name, MAX_READ_BYTES, (file) => file.bytes) : undefined;
      check(bytes, names.join("/"), entry);
      const makes = {
        makeDirectories: true,
        keepLastLink: true,
        mayWrite: (some: readonly string[]) => this.#mayWrite(some, attempt),
      };
      return this.#at(to, attemptOn("move to", to), makes, (end) => {
        const { held: goal, names: now } = heldName(end, attempt, "moved");
        if (end.mustBeDirectory && entry === "file") throw systemErrorOf("ENOTDIR");
        // The way to it may have changed since it was looked at.
        if (now.join("/") !== target.join("/")) throw systemErrorOf("ESTALE");
        assertFree(goal, attempt);
        const path = now.join("/");
        const change = { path, from: names.join("/"), existed: true, before: undefined, after: bytes, entry };
        this.#journaled({ ...change, kind: "move" }, () => moveHeld(source, goal, seen, attempt));
        return { path, created: false };
      });
    });
  }

  /** Makes a directory that must not exist yet, and those on the way. Not recorded in a journal. */
  makeDirectory(path: string): void {
    const attempt = attemptOn("make", path);
    const mayWrite = (names: readonly string[]) => this.#mayWrite(names, attempt);
    this.#at(path, attempt, { makeDirectories: true, keepLastLink: true, mayWrite }, (place) => {
      const { held, names } = heldName(place, attempt, "made");
      mayWrite(names);
      held.directory.verify();
      fs.mkdirSync(held.directory.at(held.name));
    });
  }

  /** Releases the worktree, after which every operation fails. Open files stay open. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#root.close();
  }

  #rootPaths(): readonly string[] {
    return (this.#roots ??= [resolve(this.#hostPath), this.#root.realPath()]);
  }

  #toWrite(
    path: string,
    verb: string,
    how: How,
    act: (place: WalkResult & { name: string }, attempt: string) => Written,
  ): Written {
    const attempt = attemptOn(verb, path);
    const mayWrite = (names: readonly string[]) => this.#mayWrite(names, attempt);
    return this.#at(path, attempt, { makeDirectories: true, mayWrite, ...how, file: true }, (place) => {
      const { name, parents } = place;
      if (name === undefined || place.mustBeDirectory) throw systemErrorOf("EISDIR");
      mayWrite([...parents, name]);
      return act({ ...place, name }, attempt);
    });
  }

  #journaled(change: Omit<PendingWrite, "worktree">, write: () => void, old?: BigIntStats): void {
    if (this.#journal === undefined) return write();
    const before = (change.before?.length ?? 0) > this.#journal.maxFileBytes ? undefined : change.before;
    const worktree = this.#rootPaths()[1] ?? this.#hostPath;
    const forget = this.#journal.begin({ worktree, wasExecutable: isExecutable(old), ...change, before });
    try {
      write();
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Asks for each entry of a directory at each of the places where it is or will be. */
  #checkEntries({ directory, name }: HeldName, places: readonly (readonly string[])[], attempt: string): void {
    const held = directory.enter(name);
    try {
      movedEntries(held, attempt, (below) => {
        for (const place of places) this.#mayWrite([...place, ...below], attempt);
      });
    } finally {
      held.close();
    }
  }

  /** Walks to `path`, acts there and lets go, again while names are exchanged under it. */
  #at<T>(path: string, attempt: string, how: How, act: (place: WalkResult) => T): T {
    // Its descriptor may be another directory's by now.
    if (this.#closed) throw new SandboxError(`${attempt}: the sandbox is closed`, { code: "sandbox_closed" });
    const onMade = (names: readonly string[]): void => this.#journal?.made?.(names.join("/"));
    const options: WalkOptions = { attempt, roots: () => this.#rootPaths(), root: this.#root, onMade, ...how };
    try {
      const names = pathSegments(path, attempt, options.roots);
      if (how.file && names.directory) throw systemErrorOf("EISDIR");
      return retryWhileExchanged(attempt, (first) => {
        const place = walkPath(names, how.seldomLink && first ? { ...options, keepLastLink: true } : options);
        try {
          return act(place);
        } finally {
          if (place.directory !== this.#root) place.directory.close();
        }
      });
    } catch (error) {
      throw toFilesError(error, attempt);
    }
  }
}

function heldName({ directory, name, parents }: WalkResult, attempt: string, done: string) {
  if (name !== undefined) return { held: { directory, name }, names: [...parents, name] };
  throw new SandboxError(`${attempt}: it is the worktree itself, which cannot be ${done}`, { code: "protected_path" });
}

/** Runs `act` again while another process exchanges the names it goes through, such as a directory with a symbolic link. */
function retryWhileExchanged<T>(attempt: string, act: (first: boolean) => T): T {
  for (let tries = 1; ; tries += 1) {
    try {
      return act(tries === 1);
    } catch (error) {
      if (!EXCHANGED.has(systemCode(error) ?? "")) throw error;
      if (tries < MAX_ATTEMPTS) continue;
      throw new SandboxError(`${attempt}: it is being exchanged all the time, try again later`, {
        code: "unstable_path",
        cause: error,
      });
    }
  }
}

/** Opens a regular file for reading while `act` runs. */
export function withOpenFile<T>(sandbox: Sandbox, path: string, act: (file: SandboxFile) => T): T {
  const file = sandbox.openFile(path);
  try {
    return act(file);
  } finally {
    file.close();
  }
}

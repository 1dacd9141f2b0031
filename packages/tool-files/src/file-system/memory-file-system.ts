import { FileChangedError, FileExistsError, FileNotFoundError, WrongKindError } from "../error/files-error.ts";
import { attemptOn, parentOf } from "../sandbox/path-segments.ts";
import type { FileEntry, FileSnapshot, FileStat, FileSystem, FileWrite } from "./file-system.ts";

interface MemoryFile {
  readonly bytes: Uint8Array;
  /** Another one after each write. */
  readonly revision: string;
  readonly executable: boolean;
  readonly modifiedMs: number;
}

/**
 * A {@link FileSystem} in memory, for tests and for work that is to leave no trace.
 *
 * @example
 * ```ts
 * const fileSystem = new MemoryFileSystem({ "src/main.ts": "export {};\n" });
 * await registry.dispatch("read_file", { path: "src/main.ts" }, { context: { worktreePath: "/work", fileSystem } });
 * ```
 */
export class MemoryFileSystem implements FileSystem {
  readonly #files = new Map<string, MemoryFile>();
  #writes = 0;
  /** The entries of each directory, by name. */
  readonly #directories = new Map<string, Map<string, "file" | "directory">>([["", new Map()]]);

  /** @param files - Contents by path, such as `{ "src/main.ts": "…" }`. */
  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    for (const [path, content] of Object.entries(files)) this.#put(path, Buffer.from(content), false);
  }

  stat(path: string): FileStat | undefined {
    const file = this.#files.get(path);
    if (file !== undefined) return { ...file, path, kind: "file", size: file.bytes.length };
    if (!this.#directories.has(path)) return undefined;
    return { path, kind: "directory", size: 0, modifiedMs: 0, executable: false };
  }

  readFile(path: string): FileSnapshot {
    const file = this.#files.get(path);
    if (file !== undefined) return { bytes: Uint8Array.from(file.bytes), revision: file.revision };
    if (this.#directories.has(path)) throw new WrongKindError(`${attemptOn("read", path)}: it is a directory`);
    throw new FileNotFoundError(`${attemptOn("read", path)}: there is no such file`);
  }

  readDirectory(path: string): readonly FileEntry[] {
    const entries = this.#directories.get(path);
    if (entries === undefined) throw new FileNotFoundError(`${attemptOn("list", path)}: no such directory`);
    return [...entries].map(([name, kind]) => ({ name, kind }));
  }

  writeFile(path: string, bytes: Uint8Array, { expected, executable }: FileWrite): void {
    this.#check(path, expected, "write");
    this.#put(path, Uint8Array.from(bytes), executable ?? this.#files.get(path)?.executable ?? false);
  }

  remove(path: string, how?: Pick<FileWrite, "expected">): void {
    if (this.#directories.has(path)) {
      if (path === "" || this.readDirectory(path).length > 0)
        throw new WrongKindError(`${attemptOn("delete", path)}: it is a directory with something in it`);
      this.#directories.delete(path);
      this.#unname(path);
      return;
    }
    if (how !== undefined) this.#check(path, how.expected, "delete");
    if (this.#files.delete(path)) this.#unname(path);
    else throw new FileNotFoundError(`${attemptOn("delete", path)}: there is no such file`);
  }

  rename(from: string, to: string): void {
    if (this.stat(to) !== undefined) throw new FileExistsError(`${attemptOn("move to", to)}: it exists already`);
    const file = this.#files.get(from);
    if (file !== undefined) {
      this.#put(to, file.bytes, file.executable);
      this.#files.delete(from);
      this.#unname(from);
      return;
    }
    if (!this.#directories.has(from)) throw new FileNotFoundError(`${attemptOn("move", from)}: there is no such file`);
    this.makeDirectory(to);
    for (const { name } of this.readDirectory(from)) this.rename(`${from}/${name}`, `${to}/${name}`);
    this.#directories.delete(from);
    this.#unname(from);
  }

  makeDirectory(path: string): void {
    if (this.#files.has(path)) throw new WrongKindError(`${attemptOn("make", path)}: a part of the path is a file`);
    if (this.#directories.has(path)) return;
    this.makeDirectory(parentOf(path));
    this.#directories.set(path, new Map());
    this.#name(path, "directory");
  }

  #name(path: string, kind: "file" | "directory"): void {
    this.#directories.get(parentOf(path))?.set(path.slice(path.lastIndexOf("/") + 1), kind);
  }

  #unname(path: string): void {
    this.#directories.get(parentOf(path))?.delete(path.slice(path.lastIndexOf("/") + 1));
  }

  #check(path: string, expected: string | null, verb: string): void {
    const file = this.#files.get(path);
    if ((file?.revision ?? null) === expected) return;
    throw new FileChangedError(`${attemptOn(verb, path)}: it was changed meanwhile, try again`);
  }

  #put(path: string, bytes: Uint8Array, executable: boolean): void {
    if (this.#directories.has(path)) throw new WrongKindError(`${attemptOn("write", path)}: it is a directory`);
    this.makeDirectory(parentOf(path));
    this.#files.set(path, { bytes, executable, modifiedMs: Date.now(), revision: String((this.#writes += 1)) });
    this.#name(path, "file");
  }
}

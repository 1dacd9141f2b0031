import fs from "node:fs";
import { FileChangedError, FileExistsError, FileNotFoundError } from "../error/files-error.ts";
import { openSandbox, type SandboxOptions } from "../sandbox/open-sandbox.ts";
import { attemptOn } from "../sandbox/path-segments.ts";
import { type Sandbox, withOpenFile } from "../sandbox/sandbox.ts";
import { contentHash, MAX_EDIT_BYTES } from "../version/content-version.ts";
import type { FileEntry, FileSnapshot, FileStat, FileSystem, FileWrite } from "./file-system.ts";

/**
 * A {@link FileSystem} over the {@link Sandbox} of a directory of this disk.
 *
 * @example
 * ```ts
 * const fileSystem: SandboxFileSystem = openFileSystem("/home/agent/project");
 * fileSystem.close();
 * ```
 */
export class SandboxFileSystem implements FileSystem {
  readonly #sandbox: Sandbox;

  /** Use {@link openFileSystem}. */
  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  stat(path: string): FileStat | undefined {
    const kind = this.#sandbox.kindOf(orRoot(path));
    if (kind === undefined) return undefined;
    if (kind === "directory") {
      const names = this.#sandbox.resolveNames(orRoot(path));
      return { path: names.join("/"), kind, size: 0, modifiedMs: 0, executable: false };
    }
    return withOpenFile(this.#sandbox, path, (file) => {
      const { size, mtimeMs, mode } = fs.fstatSync(file.fd);
      return { path: file.path, kind, size, modifiedMs: mtimeMs, executable: (mode & 0o100) !== 0 };
    });
  }

  readFile(path: string): FileSnapshot {
    const bytes = withOpenFile(this.#sandbox, orRoot(path), ({ fd }) => fs.readFileSync(fd));
    return { bytes, revision: contentHash(bytes) };
  }

  /** `most`: it is enough to read so many entries. Default: all. */
  async readDirectory(path: string, most?: number): Promise<readonly FileEntry[]> {
    const directory = this.#sandbox.openDirectory(orRoot(path));
    try {
      const entries = await directory.readEntries(most);
      return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
    } finally {
      directory.close();
    }
  }

  writeFile(path: string, bytes: Uint8Array, { expected, executable }: FileWrite): void {
    try {
      if (expected === null) this.#sandbox.createFile(path, bytes, { executable });
      else
        this.#sandbox.changeFile(
          path,
          MAX_EDIT_BYTES,
          (now) => {
            if (contentHash(now) !== expected) throw changed("write", path);
            return bytes;
          },
          { executable },
        );
    } catch (error) {
      const isOther = error instanceof FileExistsError || error instanceof FileNotFoundError;
      throw isOther ? changed("write", path, error) : error;
    }
  }

  remove(path: string, how?: Pick<FileWrite, "expected">): void {
    this.#sandbox.removePath(orRoot(path), (bytes) => {
      if (how !== undefined && (bytes === undefined || contentHash(bytes) !== how.expected))
        throw changed("delete", path);
    });
  }

  rename(from: string, to: string): void {
    this.#sandbox.movePath(orRoot(from), orRoot(to));
  }

  makeDirectory(path: string): void {
    if (this.#sandbox.kindOf(orRoot(path)) !== "directory") this.#sandbox.makeDirectory(path);
  }

  /** Lets go of the directory, after which every operation fails. */
  close(): void {
    this.#sandbox.close();
  }
}

/**
 * Opens a directory of this disk as a {@link FileSystem}, for `mountFileSystems`. Must be closed.
 *
 * @throws {FilesError} When there is no such directory.
 *
 * @example
 * ```ts
 * const fileSystem = openFileSystem("/home/agent/project");
 * ```
 */
export function openFileSystem(worktreePath: string, options: SandboxOptions = {}): SandboxFileSystem {
  return new SandboxFileSystem(openSandbox(worktreePath, options));
}

function orRoot(path: string): string {
  return path === "" ? "." : path;
}

function changed(verb: string, path: string, cause?: unknown): FileChangedError {
  return new FileChangedError(`${attemptOn(verb, path)}: it was changed meanwhile, try again`, { cause });
}

function kindOf(entry: fs.Dirent): FileEntry["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "other";
}

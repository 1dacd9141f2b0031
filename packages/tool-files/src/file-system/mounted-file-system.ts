import { FilesError, SandboxError } from "../error/files-error.ts";
import { attemptOn, childOf } from "../sandbox/path-segments.ts";
import type { FileEntry, FileSnapshot, FileStat, FileSystem, FileWrite } from "./file-system.ts";

/** A tree that is a part of another one. */
export interface Mount {
  /** The files. */
  readonly fileSystem: FileSystem;
  /** Whether nothing in it may be changed. Default false. */
  readonly readOnly?: boolean;
}

/**
 * Joins several trees into one: each key is the directory at which a tree appears, `"."` for the tree that holds the
 * others. A mount hides the entries of the outer tree at that path.
 *
 * @throws {FilesError} For a path that is not relative, or lies in another mount; code `invalid_option`.
 *
 * @example
 * ```ts
 * const fileSystem = mountFileSystems({
 *   ".": { fileSystem: openFileSystem("/home/agent/project") },
 *   "reference": { fileSystem: openFileSystem("/srv/reference"), readOnly: true },
 * });
 * await registry.dispatch(call, { context: { worktreePath: "/work", fileSystem } });
 * ```
 */
export function mountFileSystems(mounts: Readonly<Record<string, Mount>>): FileSystem {
  return new MountedFileSystem(mounts);
}

interface Place extends Mount {
  /** The path in its own tree. */
  readonly inner: string;
  /** Where that tree is mounted. */
  readonly at: string;
}

class MountedFileSystem implements FileSystem {
  /** By path, `""` for the tree that holds the others. */
  readonly #mounts: ReadonlyMap<string, Mount>;

  constructor(mounts: Readonly<Record<string, Mount>>) {
    const entries = Object.entries(mounts).map(([path, mount]): [string, Mount] => {
      const names = path === "." ? [] : path.split("/");
      const found = names.some((name) => name === "" || name === "." || name === "..") || names.length > 1;
      if (!found) return [names.join("/"), mount];
      throw new FilesError(
        `Cannot mount file systems: found the path ${JSON.stringify(path)}, allowed are "." and names without a slash`,
        { code: "invalid_option" },
      );
    });
    this.#mounts = new Map(entries);
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const place = this.#find(path);
    if (place === undefined) {
      return path === "" ? { path, kind: "directory", size: 0, modifiedMs: 0, executable: false } : undefined;
    }
    const found = await place.fileSystem.stat(place.inner);
    return found && { ...found, path: place.at === "" ? found.path : childOf(place.at, found.path).replace(/\/$/, "") };
  }

  readFile(path: string): ReturnType<FileSystem["readFile"]> | FileSnapshot {
    const { fileSystem, inner } = this.#place(path, "read");
    return fileSystem.readFile(inner);
  }

  async readDirectory(path: string): Promise<readonly FileEntry[]> {
    const place = this.#find(path);
    const entries = place === undefined ? [] : await place.fileSystem.readDirectory(place.inner);
    if (path !== "") return entries;
    const names = [...this.#mounts.keys()].filter((name) => name !== "");
    return [
      ...entries.filter(({ name }) => !this.#mounts.has(name)),
      ...names.map((name) => ({ name, kind: "directory" as const })),
    ];
  }

  writeFile(path: string, bytes: Uint8Array, how: FileWrite): ReturnType<FileSystem["writeFile"]> {
    const { fileSystem, inner } = this.#writable(path, "write");
    return fileSystem.writeFile(inner, bytes, how);
  }

  remove(path: string, how?: Pick<FileWrite, "expected">): ReturnType<FileSystem["remove"]> {
    const { fileSystem, inner } = this.#writable(path, "delete");
    return fileSystem.remove(inner, how);
  }

  rename(from: string, to: string): ReturnType<FileSystem["rename"]> {
    const source = this.#writable(from, "move");
    const target = this.#writable(to, "move to");
    if (source.at !== target.at)
      throw new SandboxError(
        `${attemptOn("move", from)}: the new path is in another root, write the file there and delete it here`,
        { code: "protected_path" },
      );
    return source.fileSystem.rename(source.inner, target.inner);
  }

  makeDirectory(path: string): ReturnType<FileSystem["makeDirectory"]> {
    const { fileSystem, inner } = this.#writable(path, "make");
    return fileSystem.makeDirectory(inner);
  }

  #find(path: string): Place | undefined {
    const [first = "", ...rest] = path.split("/");
    const mount = first === "" ? undefined : this.#mounts.get(first);
    if (mount !== undefined) return { ...mount, at: first, inner: rest.join("/") };
    const root = this.#mounts.get("");
    return root && { ...root, at: "", inner: path };
  }

  #place(path: string, verb: string): Place {
    const place = this.#find(path);
    if (place !== undefined) return place;
    const names = [...this.#mounts.keys()].join(", ");
    throw new SandboxError(`${attemptOn(verb, path)}: it is in none of the roots, which are ${names}`);
  }

  #writable(path: string, verb: string): Place {
    const place = this.#place(path, verb);
    if (place.inner === "" || place.readOnly === true) {
      const what = place.readOnly === true ? "it is in a root that is read-only" : "it is a root";
      throw new SandboxError(`${attemptOn(verb, path)}: ${what}, use files elsewhere`, { code: "protected_path" });
    }
    return place;
  }
}

/** Something that is there now, or later. */
export type Awaitable<T> = T | PromiseLike<T>;

/**
 * A tree of files that the tools can work on: the interface for a container, a remote machine or memory. `Sandbox`
 * offers the same for a directory of this disk, see `openFileSystem`.
 *
 * Paths are relative, with `/` between names; none holds `.`, `..`, an empty name or a NUL, and `""` is the tree
 * itself. An implementation lets no path and no link lead out of its tree. It throws errors of this package; the text
 * of any other error is not shown to a model.
 */
export interface FileSystem {
  /** The entry at a path, links followed. `undefined`: nothing. */
  stat(path: string): Awaitable<FileStat | undefined>;
  /** The bytes of a regular file, as they are at one moment. Throws `FileNotFoundError`. */
  readFile(path: string): Awaitable<FileSnapshot>;
  /** The entries of a directory, links not followed. Throws `FileNotFoundError`. */
  readDirectory(path: string): Awaitable<readonly FileEntry[]>;
  /**
   * Puts bytes in the place of a file at once, making directories on the way: a reader sees the old file or the new one.
   * Throws `FileChangedError` and changes nothing unless the file is as expected.
   */
  writeFile(path: string, bytes: Uint8Array, how: FileWrite): Awaitable<void>;
  /** Removes a file, as expected, or an empty directory. Throws `FileChangedError`. */
  remove(path: string, how?: Pick<FileWrite, "expected">): Awaitable<void>;
  /** Gives a file or directory a name that is free, making directories on the way. Throws `FileExistsError`. */
  rename(from: string, to: string): Awaitable<void>;
  /** Makes a directory, and those on the way. */
  makeDirectory(path: string): Awaitable<void>;
}

/** The result of {@link FileSystem.stat}. */
export interface FileStat {
  /** The path with links resolved. */
  readonly path: string;
  /** The kind of entry. `other`: a pipe, socket or device. */
  readonly kind: "file" | "directory" | "other";
  /** Length in bytes. */
  readonly size: number;
  /** When its contents changed last, in milliseconds since 1970. */
  readonly modifiedMs: number;
  /** Whether it may be run as a program. */
  readonly executable: boolean;
}

/** The contents of a file. */
export interface FileSnapshot {
  /** All its bytes. */
  readonly bytes: Uint8Array;
  /** Names the contents: the same revision means the same bytes. */
  readonly revision: string;
}

/** An entry of a directory. */
export interface FileEntry {
  /** Its name. */
  readonly name: string;
  /** The kind of entry. */
  readonly kind: "file" | "directory" | "link" | "other";
}

/** How a file is written. */
export interface FileWrite {
  /** The revision that may be replaced; `null`: there may be no such file. */
  readonly expected: string | null;
  /** Whether it may be run as a program. Default: as before, a new file not. */
  readonly executable?: boolean | undefined;
}

import fs, { type BigIntStats } from "node:fs";
import { join } from "node:path";
import {
  type DirectoryHandle,
  type OpenedFile,
  staleError,
  systemErrorOf,
  wrongKindError,
} from "./directory-handle.ts";

// Windows lacks some of these flags: an undefined flag counts as 0 in `|`.
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = fs.constants;

/**
 * A directory known by its real path and its identity, for systems without `/proc/self/fd`. Everything is checked again
 * after it was opened; between the check and the act another process has a moment, which is why this is the weaker kind.
 */
export class VerifiedDirectory implements DirectoryHandle {
  readonly self: string;
  readonly #stats: BigIntStats;

  private constructor(realPath: string, stats: BigIntStats) {
    this.self = realPath;
    this.#stats = stats;
  }

  /** Knows the directory at a host path, following links. */
  static open(hostPath: string): VerifiedDirectory {
    const realPath = fs.realpathSync.native(hostPath);
    const stats = fs.lstatSync(realPath, { bigint: true });
    if (!stats.isDirectory()) throw systemErrorOf("ENOTDIR");
    return new VerifiedDirectory(realPath, stats);
  }

  realPath(): string {
    return this.self;
  }

  at(name: string): string {
    return join(this.self, name);
  }

  duplicate(): VerifiedDirectory {
    return this;
  }

  enter(name: string): VerifiedDirectory {
    this.verify();
    const path = this.at(name);
    const stats = fs.lstatSync(path, { bigint: true });
    if (stats.isSymbolicLink()) throw systemErrorOf("ELOOP");
    if (!stats.isDirectory()) throw systemErrorOf("ENOTDIR");
    const entered = new VerifiedDirectory(path, stats);
    entered.verify();
    return entered;
  }

  openFile(name: string): OpenedFile {
    const path = this.at(name);
    const before = fs.lstatSync(path, { bigint: true });
    if (!before.isFile()) throw wrongKindError(before);
    const fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    try {
      const stats = fs.fstatSync(fd, { bigint: true });
      if (!stats.isFile()) throw wrongKindError(stats);
      this.verifyFile(name, fd);
      return { fd, stats };
    } catch (error) {
      fs.closeSync(fd);
      throw error;
    }
  }

  verify(): void {
    if (fs.realpathSync.native(this.self) !== this.self) throw staleError();
    if (!same(this.#stats, fs.lstatSync(this.self, { bigint: true }))) throw staleError();
  }

  verifyFile(name: string, fd: number): void {
    this.verify();
    const named = fs.lstatSync(this.at(name), { bigint: true, throwIfNoEntry: false });
    if (named === undefined || !same(fs.fstatSync(fd, { bigint: true }), named)) throw staleError();
  }

  close(): void {}
}

function same(one: BigIntStats, other: BigIntStats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

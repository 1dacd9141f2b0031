import fs, { type Dirent } from "node:fs";
import { toFilesError } from "../error/system-error.ts";
import type { DirectoryHandle } from "./directory-handle.ts";
import { attemptOn } from "./path-segments.ts";

/** An open directory of the worktree. It stays the same directory when its name is moved or replaced. */
export interface SandboxDirectory {
  /** Its path from the worktree, links resolved, `""` for the worktree itself. */
  readonly path: string;
  /**
   * Reads its entries: names and kinds, links not followed. A part of them at a time, so that a large directory does not hold
   * up the event loop. `most`: it is enough to read so many. Default: all.
   */
  readEntries(most?: number): Promise<Dirent[]>;
  /** Closes it. Must be called once, and not while it is read. */
  close(): void;
}

/** Entries that are read at a time. */
const PART = 256;

/** A {@link SandboxDirectory} over a {@link DirectoryHandle}, which it closes. */
export class HeldDirectory implements SandboxDirectory {
  readonly path: string;
  readonly #held: DirectoryHandle;

  constructor(held: DirectoryHandle, path: string) {
    this.#held = held;
    this.path = path;
  }

  async readEntries(most: number = Infinity): Promise<Dirent[]> {
    const entries: Dirent[] = [];
    try {
      const directory = await fs.promises.opendir(this.#held.self, { bufferSize: PART });
      for await (const entry of directory) {
        entries.push(entry);
        if (entries.length >= most) break;
      }
      this.#held.verify();
    } catch (error) {
      throw toFilesError(error, attemptOn("list", this.path));
    }
    return entries;
  }

  close(): void {
    this.#held.close();
  }
}

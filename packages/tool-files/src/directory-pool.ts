import type { Dirent } from "node:fs";
import type { SandboxDirectory } from "./held-directory.ts";
import type { Sandbox } from "./sandbox.ts";

/** Directories held at a time. */
const MAX_HELD = 128;

/**
 * Opens the directories of a tree for reading, those above first. A directory is held until all in it were opened, so
 * that each takes one step instead of the whole way from the worktree. When too many are held, the way is walked.
 */
export class DirectoryPool {
  readonly #sandbox: Sandbox;
  readonly #held = new Map<string, { readonly directory: SandboxDirectory; awaited: number }>();
  #closed = false;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** Opens the directory of this path, no link among its names. Throws errors of this package. */
  open(path: string): SandboxDirectory {
    const at = path.lastIndexOf("/");
    const above = path === "" ? undefined : path.slice(0, Math.max(0, at));
    const parent = above === undefined ? undefined : this.#held.get(above);
    if (above === undefined || parent === undefined) return this.#sandbox.openDirectory(path || ".");
    parent.awaited -= 1;
    try {
      return parent.directory.openDirectory(path.slice(at + 1));
    } finally {
      if (parent.awaited <= 0) this.#release(above);
    }
  }

  /** Takes over a directory that was read and gave these entries: holds it as long as it is of use, then closes it. */
  keep(directory: SandboxDirectory, entries: readonly Dirent[]): void {
    const awaited = entries.filter((entry) => entry.isDirectory()).length;
    if (this.#closed || awaited === 0 || this.#held.size >= MAX_HELD || this.#held.has(directory.path))
      directory.close();
    else this.#held.set(directory.path, { directory, awaited });
  }

  /** Closes all that is held. */
  close(): void {
    this.#closed = true;
    for (const path of this.#held.keys()) this.#release(path);
  }

  #release(path: string): void {
    this.#held.get(path)?.directory.close();
    this.#held.delete(path);
  }
}

import { isUtf8 } from "node:buffer";
import fs, { type Dirent } from "node:fs";
import type { DirectoryHandle } from "../sandbox/directory-handle.ts";
import { KernelDirectory } from "../sandbox/kernel-directory.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { VerifiedDirectory } from "../sandbox/verified-directory.ts";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = fs.constants;

/** A worktree as its sandbox holds it: usable in every thread of the process while the sandbox is open. */
export type TreeRoot = Pick<Sandbox, "workingDirectory" | "strength">;

/**
 * Reads many directories and files of a tree. The directories on the way to the last one are held, so that a neighbour
 * takes one step, not the whole way. Paths have to be those of a listing: no link is followed, in no part of them.
 */
export class TreeFiles {
  readonly #root: DirectoryHandle;
  readonly #kernel: boolean;
  readonly #held: { readonly name: string; readonly directory: DirectoryHandle }[] = [];
  #path: string | undefined;
  #directory: DirectoryHandle;

  constructor({ workingDirectory, strength }: TreeRoot) {
    const kernel = strength === "kernel" ? KernelDirectory.open(workingDirectory) : undefined;
    this.#kernel = kernel !== undefined;
    this.#root = kernel ?? VerifiedDirectory.open(workingDirectory);
    this.#directory = this.#root;
  }

  /** Opens a regular file for reading; the caller closes it. Throws the system's errors for anything else. */
  open(path: string): { readonly fd: number; readonly size: number } {
    const at = path.lastIndexOf("/");
    const directory = this.#enter(at === -1 ? "" : path.slice(0, at));
    const name = path.slice(at + 1);
    if (!this.#kernel) {
      const { fd, stats } = directory.openFile(name);
      return { fd, size: Number(stats.size) };
    }
    // The listing has looked at its kind just now, so it is opened without another look: a pipe does not block.
    const fd = fs.openSync(directory.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    const stats = fs.fstatSync(fd);
    if (stats.isFile()) return { fd, size: stats.size };
    fs.closeSync(fd);
    throw new Error("it is no file any more");
  }

  /**
   * The entries of a directory, `""` for the worktree: names and kinds; and how many more have names that are not UTF-8,
   * by which nothing can be opened. Throws the system's errors.
   */
  readEntries(path: string): { readonly entries: Dirent[]; readonly nameless: number } {
    const directory = this.#enter(path);
    // In one go: by way of other threads it takes three times as much of the processor.
    const entries = fs.readdirSync(directory.self, { withFileTypes: true });
    directory.verify();
    return entries.some(({ name }) => name.includes("\ufffd"))
      ? withoutNameless(entries, fs.readdirSync(directory.self, { encoding: "buffer" }))
      : { entries, nameless: 0 };
  }

  /** The size of a directory as the system reports it: it grows with the number of its entries. */
  directorySize(path: string): number {
    return fs.statSync(this.#enter(path).self).size;
  }

  /** Size and time of an entry, a link's own. Throws the system's errors. */
  stat(path: string): fs.Stats {
    const at = path.lastIndexOf("/");
    const directory = this.#enter(at === -1 ? "" : path.slice(0, at));
    const stats = fs.lstatSync(directory.at(path.slice(at + 1)));
    directory.verify();
    return stats;
  }

  close(): void {
    this.#leave(0);
    this.#root.close();
  }

  #enter(path: string): DirectoryHandle {
    if (path === this.#path) return this.#directory;
    const names = path === "" ? [] : path.split("/");
    const common = names.findIndex((name, index) => this.#held[index]?.name !== name);
    this.#leave(common === -1 ? names.length : common);
    this.#path = undefined;
    for (const name of names.slice(this.#held.length))
      this.#held.push({ name, directory: (this.#held.at(-1)?.directory ?? this.#root).enter(name) });
    this.#path = path;
    this.#directory = this.#held.at(-1)?.directory ?? this.#root;
    return this.#directory;
  }

  #leave(depth: number): void {
    for (const { directory } of this.#held.splice(depth).toReversed()) directory.close();
  }
}

/** A name that is not UTF-8 looks like one that holds U+FFFD, which may be there as well. */
function withoutNameless(entries: readonly Dirent[], names: readonly Buffer[]) {
  const proper = new Set(names.filter((name) => isUtf8(name)).map(String));
  const kept = new Map(entries.filter(({ name }) => proper.has(name)).map((entry) => [entry.name, entry]));
  return { entries: [...kept.values()], nameless: entries.length - kept.size };
}

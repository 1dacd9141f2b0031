import { chmodSync, chownSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";

/** The state of a directory compared with the last look. */
export type DirectoryState = "same" | "replaced" | { readonly fault: string };

/** Directories of the kernel. Deno opens files in them only with all permissions, whatever it was granted. */
const KERNEL_DIRECTORY = /^\/(?:dev|proc|sys)(?:\/|$)/;

/** Why Deno cannot be granted the directory at this real path, if it cannot. */
export function pathFault(directory: string): string | undefined {
  if (/[,\n\r]/.test(directory))
    return "its path has a comma or a line break, which Deno would read as the start of another path";
  return KERNEL_DIRECTORY.test(directory)
    ? "Deno grants no directory below /dev, /proc or /sys, allowed is a directory of a file system on a disk or in memory"
    : undefined;
}

/** The directory that programs are given, and may remove. */
export class WorkingDirectory {
  readonly path: string;
  readonly #owner: { readonly uid: number; readonly gid: number; readonly mode: number };
  #id: string;

  /** @param path Real path of a directory. */
  constructor(path: string) {
    this.path = path;
    const { uid, gid, mode, dev, ino } = statSync(path);
    this.#owner = { uid, gid, mode };
    this.#id = `${dev}:${ino}`;
  }

  /**
   * Looks at it. Makes it again, empty, when it is gone, and opens it to its owner again when it is shut: a program may have
   * removed or shut it.
   */
  restore(): DirectoryState {
    try {
      if (lstatSync(this.path, { throwIfNoEntry: false }) === undefined) this.#make();
      const { dev, ino, mode } = lstatSync(this.path);
      if (!statSync(this.path).isDirectory() || realpathSync(this.path) !== this.path)
        return { fault: "is no directory any more" };
      if ((this.#owner.mode & ~mode & 0o700) !== 0) chmodSync(this.path, mode | (this.#owner.mode & 0o700));
      const id = `${dev}:${ino}`;
      if (id === this.#id) return "same";
      this.#id = id;
      return "replaced";
    } catch (error) {
      return { fault: `cannot be used any more (${(error as NodeJS.ErrnoException).code ?? "unknown error"})` };
    }
  }

  #make(): void {
    const { uid, gid, mode } = this.#owner;
    mkdirSync(this.path, { mode: mode & 0o777 });
    // The user that programs run as is the owner of their directory.
    if (process.geteuid?.() === 0) chownSync(this.path, uid, gid);
  }
}

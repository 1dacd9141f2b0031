import { statSync } from "node:fs";
import { resolve } from "node:path";

/** A database file that this process has open, and its write-ahead log. */
export class OpenFile {
  readonly #parts: readonly { readonly path: string; readonly identity: string }[];

  /** @param file the path of the open database. */
  constructor(file: string) {
    const path = resolve(file);
    this.#parts = [path, `${path}-wal`].map((part) => ({ path: part, identity: identify(part) }));
  }

  /** Whether the paths do not name the open files any more. */
  isReplaced(): boolean {
    return this.#parts.some(({ path, identity }) => identify(path) !== identity);
  }

  /** Throws when the file was replaced. Writes to it would be lost. */
  check(): void {
    if (!this.isReplaced()) return;
    throw Object.assign(new Error("the file of the memory was deleted, moved or replaced while it was open"), {
      code: "replaced",
    });
  }
}

/** A file's identity, empty when there is none. While it is open no other file gets the same. */
function identify(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : `${found.dev} ${found.ino}`;
}

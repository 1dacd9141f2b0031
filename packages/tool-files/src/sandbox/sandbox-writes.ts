import type { EntryKind } from "./write-journal.ts";

/** A file read whole to be changed, and its path with links resolved. See `Sandbox.changeFile`. */
export type ChangeFile = (bytes: Buffer, path: string) => Uint8Array;

/**
 * Called before a file, directory or link is moved or removed, with the bytes of the file or of the link's target, if
 * it has at most 8 MiB, and its path. If it throws, nothing is changed.
 */
export type CheckChange = (bytes: Buffer | undefined, path: string, kind: EntryKind) => void;

/** How a file is written. */
export interface WriteHow {
  /** Whether it may be run as a program, by those who may read it. Default: as before, a new file not. */
  readonly executable?: boolean | undefined;
}

/** The result of a write. */
export interface Written {
  /** Its path from the worktree, links resolved. */
  readonly path: string;
  /** Whether there was no such file before. */
  readonly created: boolean;
  /** How long the file was that `Sandbox.writeFile` replaced, in bytes. `undefined`: none was, or there is no journal. */
  readonly replacedBytes?: number;
}

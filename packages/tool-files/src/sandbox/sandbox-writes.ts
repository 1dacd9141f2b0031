/** A file read whole to be changed, and its path with links resolved. See `Sandbox.changeFile`. */
export type ChangeFile = (bytes: Buffer, path: string) => Uint8Array;

/** Called with the bytes of a file that is to be removed, or of a link's target, and its path. See `Sandbox.removeFile`. */
export type CheckRemoval = (bytes: Buffer, path: string, kind: "file" | "link") => void;

/** The result of a write. */
export interface Written {
  /** Its path from the worktree, links resolved. */
  readonly path: string;
  /** Whether there was no such file before. */
  readonly created: boolean;
}

/** A change that was made through the tools. */
export interface FileChange {
  /** The file, relative to the worktree, links resolved. */
  readonly path: string;
  /** Whether there was no such file before. */
  readonly created: boolean;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** Whether the file, directory or link was removed. Default false. */
  readonly removed?: true;
  /** The former path of a file or directory that was moved. */
  readonly from?: string;
  /** The same for all changes of one call that changed several files. */
  readonly group?: string;
  /** Further changes of the same call, which are undone with this one; only in the result of `FileHistory.undo`. */
  readonly also?: readonly FileChange[];
}

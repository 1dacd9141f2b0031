/** A write before it takes place. */
export interface PendingWrite {
  /** Real path of the worktree. Never for a model. */
  readonly worktree: string;
  /** Path of the file from the worktree, links resolved. */
  readonly path: string;
  /** Whether there is a file to be replaced. */
  readonly existed: boolean;
  /** Its bytes; `undefined` if there is none, or it is longer than {@link WriteJournal.maxFileBytes}. */
  readonly before: Uint8Array | undefined;
  /** The new bytes. */
  readonly after: Uint8Array;
}

/** Records writes before they take place. */
export interface WriteJournal {
  /** Length in bytes up to which it gets the former bytes of a file. */
  readonly maxFileBytes: number;
  /** Records a write. An error it throws stops the write. The returned function removes the record of a write that failed. */
  begin(write: PendingWrite): () => void;
  /**
   * Former contents of a file that have this version, if they are kept: the base for merging an edit that was made for them.
   * `worktree` and `path` are those of a {@link PendingWrite}. Default: none are kept.
   */
  recall?(worktree: string, path: string, version: string): Uint8Array | undefined;
}

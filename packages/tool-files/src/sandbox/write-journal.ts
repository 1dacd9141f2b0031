/** A write that is about to take place. */
export interface PendingWrite {
  /** Real path of the worktree. Never for a model. */
  readonly worktree: string;
  /** Path of the file from the worktree, links resolved. */
  readonly path: string;
  /** Whether there is a file to be replaced. */
  readonly existed: boolean;
  /** Its bytes; `undefined` if there is none, or it is longer than {@link WriteJournal.maxFileBytes}. */
  readonly before: Uint8Array | undefined;
  /** What the file is to hold. */
  readonly after: Uint8Array;
}

/** Is told of writes before they take place. */
export interface WriteJournal {
  /** Longest file whose former bytes it wants, in bytes. */
  readonly maxFileBytes: number;
  /** Records a write. What it throws stops the write. The function it gives forgets the record of one that failed. */
  begin(write: PendingWrite): () => void;
}

/** A regular file of the worktree, open for reading. */
export interface SandboxFile {
  /** Its file descriptor. Not to be closed but by {@link SandboxFile.close}. */
  readonly fd: number;
  /** Its path from the worktree, links resolved, with `/` between names. */
  readonly path: string;
  /** Its length in bytes when it was opened. */
  readonly size: number;
  /** Closes it. Must be called. */
  close(): void;
}

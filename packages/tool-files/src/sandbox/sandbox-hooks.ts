import { SandboxError } from "../error/files-error.ts";
import { isGitDirectory } from "./git-directory.ts";
import type { WriteJournal } from "./write-journal.ts";

/**
 * Throws if nothing may be written at the place of these names, from the worktree down with links resolved. Asked before
 * anything is made there. `attempt` is how an error begins, such as `Cannot write "a.txt"`.
 */
export type MayWrite = (names: readonly string[], attempt: string) => void;

/** What a sandbox does besides keeping inside. */
export interface SandboxHooks {
  /** Default: nothing below `.git` may be written. */
  readonly mayWrite?: MayWrite;
  /** Is told of every write before it takes place. Default: none. */
  readonly journal?: WriteJournal | undefined;
}

/** The default {@link SandboxHooks.mayWrite}. */
export function refuseGit(names: readonly string[], attempt: string): void {
  if (!names.some(isGitDirectory)) return;
  throw new SandboxError(`${attempt}: .git is Git's own and not writable, use other files`, { code: "protected_path" });
}

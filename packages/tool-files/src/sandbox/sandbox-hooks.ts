import { SandboxError } from "../error/files-error.ts";
import { isGitDirectory } from "./git-directory.ts";
import type { WriteJournal } from "./write-journal.ts";

/**
 * Throws if a path may not be written. `names` are its names from the worktree down, with links resolved. The sandbox calls
 * it before it makes or changes anything there. `attempt` is how the error begins, such as `Cannot write "a.txt"`.
 */
export type MayWrite = (names: readonly string[], attempt: string) => void;

/** Hooks of a sandbox: it calls them for every write. */
export interface SandboxHooks {
  /** Refuses writes. Default: those below `.git`. */
  readonly mayWrite?: MayWrite;
  /** Records every write before it takes place. Default: none. */
  readonly journal?: WriteJournal | undefined;
}

/** The default {@link SandboxHooks.mayWrite}: `.git` is protected from every write. */
export function refuseGit(names: readonly string[], attempt: string): void {
  if (!names.some(isGitDirectory)) return;
  throw new SandboxError(`${attempt}: .git is Git's own and not writable, use other files`, { code: "protected_path" });
}

/**
 * How sure it is that nothing outside the worktree is touched. `kernel`: also while another process exchanges
 * directories with links. `verified`: checked before and after, with a moment between the check and the act.
 */
export type SandboxStrength = "kernel" | "verified";

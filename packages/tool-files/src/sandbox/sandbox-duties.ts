import { SandboxError } from "../error/files-error.ts";
import { isGitFolder } from "./control-folder.ts";
import type { WriteJournal } from "./journal.ts";

/**
 * Throws if nothing may be written at the place of these names, from the worktree down with links resolved. Asked before
 * anything is made there. `attempt` is how an error begins, such as `Cannot write "a.txt"`.
 */
export type MayWrite = (names: readonly string[], attempt: string) => void;

/** What a sandbox does besides keeping inside. */
export interface SandboxDuties {
  /** Default: nothing below `.git` may be written. */
  readonly mayWrite?: MayWrite;
  /** Is told of every write before it takes place. Default: none. */
  readonly journal?: WriteJournal | undefined;
}

/** The default {@link SandboxDuties.mayWrite}. */
export function refuseGit(names: readonly string[], attempt: string): void {
  if (!names.some(isGitFolder)) return;
  throw new SandboxError(`${attempt}: .git is Git's own and not writable, use other files`, { code: "protected_path" });
}

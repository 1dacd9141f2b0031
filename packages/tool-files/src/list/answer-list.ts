import { FilesError, SandboxError } from "../error/files-error.ts";
import { openHeldSandbox } from "../sandbox/open-sandbox.ts";
import type { HeldWorktree } from "../sandbox/open-sandbox.ts";
import { listPage, type ListPage, type ListPageRequest } from "./list-page.ts";

/** Milliseconds for which a tree is listed. */
export const LIST_TIMEOUT_MS = 20_000;

/** What a thread is to list. */
export interface ListWork {
  /** The worktree. It has to be held until the answer has come. */
  readonly worktree: HeldWorktree;
  readonly request: ListPageRequest;
}

/** What it answers: errors lose their class on the way. */
export type ListAnswer =
  | { readonly page: ListPage }
  | { readonly page: undefined; readonly code: string; readonly message: string };

/** {@link listPage} for work that was sent to this thread. */
export async function answerList({ worktree, request }: ListWork): Promise<ListAnswer> {
  const sandbox = openHeldSandbox(worktree);
  try {
    const page = await listPage(sandbox, request, { timeoutMs: LIST_TIMEOUT_MS, maxStats: Infinity });
    return { page: page! };
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    return { page: undefined, code: error.code, message: error.message };
  } finally {
    sandbox.close();
  }
}

/** The page, or the error, as the thread found it. */
export function pageOf(answer: ListAnswer): ListPage {
  if (answer.page !== undefined) return answer.page;
  const { code, message } = answer;
  throw code === "protected_path" || code === "outside_worktree"
    ? new SandboxError(message, { code })
    : new FilesError(message, { code });
}

import { FilesError, SandboxError } from "../error/files-error.ts";
import { openHeldSandbox } from "../sandbox/open-sandbox.ts";
import type { HeldWorktree } from "../sandbox/open-sandbox.ts";
import { listPage, type ListPage, type ListPageRequest } from "./list-page.ts";
import { orderedFiles, type OrderedFiles, type OrderedFilesRequest } from "./ordered-files.ts";

/** Milliseconds for which a tree is listed. */
export const LIST_TIMEOUT_MS = 20_000;

/** Request to list in a thread. The worktree has to be held until the answer has come. */
export type ListWork =
  | { readonly worktree: HeldWorktree; readonly page: ListPageRequest }
  | { readonly worktree: HeldWorktree; readonly ordered: OrderedFilesRequest };

/** The answer of a listing: errors lose their class on the way. */
export type ListAnswer =
  | { readonly page: ListPage }
  | { readonly ordered: OrderedFiles }
  | { readonly code: string; readonly message: string };

/** Does work that was sent to this thread. */
export async function answerList(work: ListWork): Promise<ListAnswer> {
  const sandbox = openHeldSandbox(work.worktree);
  const budget = { timeoutMs: LIST_TIMEOUT_MS, maxStats: Infinity };
  try {
    if ("ordered" in work) return { ordered: orderedFiles(sandbox, work.ordered, budget) };
    const page = await listPage(sandbox, work.page, budget);
    return { page: page! };
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    return { code: error.code, message: error.message };
  } finally {
    sandbox.close();
  }
}

/** The page, or the error, as the thread found it. */
export function pageOf(answer: ListAnswer): ListPage {
  if ("page" in answer) return answer.page;
  throw errorOf(answer);
}

/** The files, or the error, as the thread found them. */
export function orderedOf(answer: ListAnswer): OrderedFiles {
  if ("ordered" in answer) return answer.ordered;
  throw errorOf(answer);
}

function errorOf(answer: ListAnswer): Error {
  if (!("code" in answer)) return new Error("the thread answered other work");
  const { code, message } = answer;
  return code === "protected_path" || code === "outside_worktree"
    ? new SandboxError(message, { code })
    : new FilesError(message, { code });
}

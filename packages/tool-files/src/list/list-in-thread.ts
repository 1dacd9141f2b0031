import { type HeldWorktree, openHeldSandbox } from "../sandbox/open-sandbox.ts";
import { listPage, type ListPage, type ListPageRequest } from "./list-page.ts";
import { orderedFiles, type OrderedFiles, type OrderedFilesRequest } from "./ordered-files.ts";

/** Milliseconds for which a tree is listed. */
export const LIST_TIMEOUT_MS = 20_000;
const BUDGET = { timeoutMs: LIST_TIMEOUT_MS, maxStats: Infinity };

/** A request for a thread. The worktree has to be held until the answer has come. */
export interface ListWork<Request> {
  readonly worktree: HeldWorktree;
  readonly request: Request;
}

/** {@link listPage} in the thread that this is called in. */
export async function listPageHere({ worktree, request }: ListWork<ListPageRequest>): Promise<ListPage> {
  const sandbox = openHeldSandbox(worktree);
  try {
    return (await listPage(sandbox, request, BUDGET))!;
  } finally {
    sandbox.close();
  }
}

/** {@link orderedFiles} in the thread that this is called in. */
export function orderedFilesHere({ worktree, request }: ListWork<OrderedFilesRequest>): OrderedFiles {
  const sandbox = openHeldSandbox(worktree);
  try {
    return orderedFiles(sandbox, request, BUDGET);
  } finally {
    sandbox.close();
  }
}

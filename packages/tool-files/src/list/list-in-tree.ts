import type { TreeCopy } from "../file-system/staged-worktree.ts";
import { readInTree } from "../file-system/work-in-tree.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { WorktreeContext } from "../sandbox/worktree-context.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { goesOn, type ListPage, type ListPageRequest } from "./list-page.ts";
import { pathMatcher } from "./path-matcher.ts";

/** Runs `act`, which makes a page, in the sandbox of a call's worktree. Of another file system it gets the files that the page needs. */
export async function listInTree(
  context: WorktreeContext,
  request: ListPageRequest,
  act: (sandbox: Sandbox) => Promise<ListPage>,
): Promise<ListPage> {
  const { path, place, recursive, includeIgnored } = request;
  const whole = { contents: () => false, recursive, leftOut: includeIgnored ? undefined : IgnoreRules.none };
  const reach = (tree: TreeCopy) => ({ verb: "list", path, tree });
  if (!goesOn(request) || context.fileSystem === undefined) return readInTree(context, reach(whole), act);
  const from = place === undefined || place.key < 0 ? undefined : place.path;
  const enough = enoughFor(request);
  const page = await readInTree(context, reach({ ...whole, from, isEnough: enough.isEnough }), act);
  // Files that the copy counted may not be listed: it does not apply all rules.
  if (page.cursor !== undefined || !enough.wasReached()) return page;
  return readInTree(context, reach({ ...whole, from }), act);
}

/** Counts the files that seem to belong to a page, up to those that prove that there are more. */
function enoughFor({ pattern, includeHidden, limit, place }: ListPageRequest) {
  const matcher = pattern === undefined ? undefined : pathMatcher(pattern);
  let left = limit + 1;
  return {
    isEnough: (path: string, inTree: string): boolean => {
      const hidden = !includeHidden && inTree.split("/").some((name) => name.startsWith("."));
      if (path !== place?.path && !hidden && matcher?.matches(inTree) !== false) left -= 1;
      return left <= 0;
    },
    wasReached: () => left <= 0,
  };
}

import { SandboxError } from "../error/files-error.ts";
import { isGitDirectory } from "../sandbox/git-directory.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { TimeSlice } from "../thread/time-slice.ts";
import { TreeReader } from "./tree-reader.ts";
import { TreeWalk } from "./tree-walk.ts";
import type { Tree, TreeRequest } from "./tree.ts";

/** Lists a part of the worktree. Links are not followed; `.git` and ignored directories are never entered. */
export async function listTree(sandbox: Sandbox, request: TreeRequest): Promise<Tree> {
  const start = listedDirectory(sandbox, request.path, request.attempt);
  const reader = new TreeReader(sandbox, request, start);
  try {
    const walk = new TreeWalk(reader, { ...request, start });
    const files: string[] = [];
    const slice = new TimeSlice();
    for (const run of walk.runs()) {
      for (const file of run) files.push(file);
      await slice.pause(request.signal);
    }
    request.signal?.throwIfAborted();
    return { files, directories: walk.directories.toSorted(inCodeUnitOrder), ...reader.counts() };
  } finally {
    reader.close();
  }
}

/**
 * The directory that `path` means, from the worktree, links resolved.
 *
 * @throws {SandboxError} When it is Git's own.
 */
export function listedDirectory(sandbox: Sandbox, path: string, attempt: string): string {
  const directory = sandbox.openDirectory(path);
  directory.close();
  if (!directory.path.split("/").some(isGitDirectory)) return directory.path;
  throw new SandboxError(`${attempt}: .git is Git's own and not listed, use other directories`, {
    code: "protected_path",
  });
}

/** The order in which paths are listed. */
export function inCodeUnitOrder(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

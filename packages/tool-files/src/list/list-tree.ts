import { sep } from "node:path";
import fastGlob from "fast-glob";
import { SandboxError } from "../error/files-error.ts";
import { isGitDirectory } from "../sandbox/path-segments.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { fromGlobName, toGlobName } from "./glob-pattern.ts";
import { TreeReader, VIRTUAL_ROOT } from "./tree-reader.ts";
import type { Tree, TreeRequest } from "./tree.ts";

/**
 * Lists a part of the worktree. The glob engine reads directories through the sandbox alone, so no pattern leads out;
 * `.git` and ignored directories are never entered.
 */
export async function listTree(sandbox: Sandbox, request: TreeRequest): Promise<Tree> {
  const start = listedDirectory(sandbox, request.path, request.attempt);
  const reader = new TreeReader(sandbox, request, start);
  const found = await fastGlob
    .glob(request.pattern ?? "**", {
      cwd: start === "" ? VIRTUAL_ROOT : `${VIRTUAL_ROOT}${sep}${toGlobName(start.replaceAll("/", sep))}`,
      fs: reader.adapter,
      baseNameMatch: true,
      caseSensitiveMatch: true,
      deep: request.recursive ? Infinity : 1,
      dot: true,
      extglob: false,
      followSymbolicLinks: false,
      markDirectories: true,
      onlyFiles: !request.directories,
      concurrency: 1,
      unique: request.pattern?.includes("{") ?? false,
    })
    .finally(() => reader.close());
  request.signal?.throwIfAborted();
  const paths = found
    .map((path) => (start === "" ? "" : `${start}/`) + fromGlobName(path))
    .filter((path) => request.pattern === undefined || (reader.isOwn(path) && reader.isListed(path)));
  const files = paths.filter((path) => !path.endsWith("/")).toSorted(inCodeUnitOrder);
  const directories = paths
    .filter((path) => path.endsWith("/"))
    .map((path) => path.slice(0, -1))
    .toSorted(inCodeUnitOrder);
  return { files, directories, ...reader.counts() };
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

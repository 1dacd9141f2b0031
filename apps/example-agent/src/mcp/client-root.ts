import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { refuseInside } from "../session/session-directory.ts";

/** Why there is no directory to work in, fit to be shown to the client. */
export class NoWorktreeError extends Error {
  override readonly name = "NoWorktreeError";
}

/**
 * The directory that a client means: its first root that is a file's URL. The others are not worked in.
 *
 * @param roots As `roots/list` answers them.
 * @param memory Directory of the memory, which must not lie inside.
 * @returns Absolute path, links resolved.
 * @throws {NoWorktreeError} When there is none, or it is not a directory, or all of the file system, or holds the memory.
 */
export async function worktreeOfRoots(
  roots: readonly { readonly uri: string }[],
  memory: string | undefined,
): Promise<string> {
  const uri = roots.map((root) => root.uri).find((one) => one.startsWith("file:"));
  if (uri === undefined)
    throw new NoWorktreeError("Cannot work: the client names no directory as a root, allowed is one");
  const directory = toPath(uri);
  const found = await stat(directory).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new NoWorktreeError("Cannot work in the client's root: it is not a directory here");
  const worktree = await realpath(directory);
  if (worktree === path.parse(worktree).root) {
    throw new NoWorktreeError(
      "Cannot work in the client's root: it is the whole file system, allowed is a directory in it",
    );
  }
  if (memory !== undefined) keepOutside(worktree, memory);
  return worktree;
}

function toPath(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    throw new NoWorktreeError("Cannot work in the client's root: it is no URL of a directory here");
  }
}

function keepOutside(worktree: string, memory: string): void {
  try {
    refuseInside(worktree, memory, "the memory");
  } catch {
    throw new NoWorktreeError(
      "Cannot work in the client's root: the memory is kept inside, choose a directory without it",
    );
  }
}

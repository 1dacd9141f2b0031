import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { FileSystem } from "../file-system/file-system.ts";
import { openSandbox } from "./open-sandbox.ts";
import type { SandboxHooks } from "./sandbox-hooks.ts";
import type { Sandbox } from "./sandbox.ts";

/**
 * The context every file tool needs: the absolute path of the directory its paths are relative to, and optionally the file
 * system which that directory is in. Default: this disk.
 */
export const worktreeContext = z.object({
  worktreePath: z.string(),
  fileSystem: z.custom<FileSystem>((value) => typeof value === "object" && value !== null).optional(),
});

const PROCESS = randomUUID();
const fileSystems = new WeakMap<FileSystem, number>();
let counted = 0;

/** Distinguishes worktrees of different file systems that have the same path. */
export function worktreeKey({ worktreePath, fileSystem }: WorktreeContext): string {
  if (fileSystem === undefined) return worktreePath;
  const number = fileSystems.get(fileSystem) ?? (counted += 1);
  fileSystems.set(fileSystem, number);
  return `${number}:${worktreePath}`;
}

/** Names the worktree of another file system in a journal: in this process alone, which is where the file system is. */
export function journalKey(context: WorktreeContext): string {
  return `${PROCESS}:${worktreeKey(context)}`;
}

/** The context of the file tools: the directory, and the file system it is in. */
export type WorktreeContext = z.infer<typeof worktreeContext>;

/** Opens the sandbox of a worktree for `act`, and closes it when `act` has returned or its promise has settled. */
export function withSandbox<T>(worktreePath: string, act: (sandbox: Sandbox) => T, hooks: SandboxHooks = {}): T {
  const sandbox = openSandbox(worktreePath, hooks);
  let pending = false;
  try {
    const result = act(sandbox);
    pending = result instanceof Promise;
    return result instanceof Promise ? (result.finally(() => sandbox.close()) as T) : result;
  } finally {
    if (!pending) sandbox.close();
  }
}

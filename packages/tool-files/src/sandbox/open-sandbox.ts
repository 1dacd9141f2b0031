import { isAbsolute } from "node:path";
import { checkOptions } from "@dispatch/tools-interface/internal";
import { FilesError } from "../error/files-error.ts";
import { isTooManyOpenFiles, systemCode, toFilesError } from "../error/system-error.ts";
import { KernelDirectory } from "./kernel-directory.ts";
import type { SandboxHooks, SandboxStrength } from "./sandbox-hooks.ts";
import { Sandbox } from "./sandbox.ts";
import { VerifiedDirectory } from "./verified-directory.ts";

/** Options of {@link openSandbox}. */
export interface SandboxOptions extends SandboxHooks {
  /** `verified` gives up the stronger kind where it could be had. Default: the strongest there is. */
  readonly strength?: SandboxStrength;
}

/**
 * Opens the sandbox of a worktree, which may itself be named through links. Must be closed.
 *
 * @throws {FilesError} When there is no such directory.
 *
 * @example
 * ```ts
 * const sandbox = openSandbox("/home/agent/project");
 * sandbox.isWithinWorktree("../secrets"); // false
 * sandbox.close();
 * ```
 */
export function openSandbox(worktreePath: string, options: SandboxOptions = {}): Sandbox {
  checkOptions("open the worktree", options, { strength: true, mayWrite: true, journal: true });
  const attempt = "Cannot open the worktree";
  if (!isAbsolute(worktreePath)) {
    throw new FilesError(`${attempt}: its path is relative, allowed are absolute paths`, { code: "invalid_worktree" });
  }
  try {
    const kernel = options.strength === "verified" ? undefined : KernelDirectory.open(worktreePath);
    if (kernel !== undefined) return new Sandbox(kernel, worktreePath, "kernel", options);
    return new Sandbox(VerifiedDirectory.open(worktreePath), worktreePath, "verified", options);
  } catch (error) {
    if (isTooManyOpenFiles(error)) throw toFilesError(error, attempt);
    const found = systemCode(error) === "EACCES" ? "no permission" : "there is no such directory";
    throw new FilesError(`${attempt}: ${found}, which is a fault of the host, not of the call`, {
      code: "invalid_worktree",
      cause: error,
    });
  }
}

/** A worktree that a sandbox of another thread of this process holds, and the path by which the host named it. */
export interface HeldWorktree extends Pick<Sandbox, "workingDirectory" | "strength"> {
  readonly worktreePath: string;
}

/** A second sandbox for exactly the directory that another one holds, which has to stay open until this has returned. */
export function openHeldSandbox(
  { workingDirectory, worktreePath, strength }: HeldWorktree,
  hooks?: SandboxHooks,
): Sandbox {
  const kernel = strength === "kernel" ? KernelDirectory.open(workingDirectory) : undefined;
  return kernel === undefined
    ? new Sandbox(VerifiedDirectory.open(workingDirectory), worktreePath, "verified", hooks)
    : new Sandbox(kernel, worktreePath, "kernel", hooks);
}

/** Runs `act` in a second sandbox for the directory that another one holds until then. */
export function withHeldSandbox<T>(held: HeldWorktree, act: (sandbox: Sandbox) => T): T {
  const sandbox = openHeldSandbox(held);
  try {
    return act(sandbox);
  } finally {
    sandbox.close();
  }
}

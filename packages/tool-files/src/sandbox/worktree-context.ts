import { z } from "zod";
import { openSandbox } from "./open-sandbox.ts";
import type { SandboxHooks } from "./sandbox-hooks.ts";
import type { Sandbox } from "./sandbox.ts";

/** The context every file tool needs: the absolute path of the directory its paths are relative to. */
export const worktreeContext = z.object({ worktreePath: z.string() });

/** Opens the sandbox of a worktree for `act`, and closes it when `act` has returned or its promise has settled. */
export function withSandbox<T>(worktreePath: string, act: (sandbox: Sandbox) => T, hooks: SandboxHooks = {}): T {
  return closeAfter(openSandbox(worktreePath, hooks), act);
}

/** Closes an open sandbox when `act` has returned or its promise has settled. */
export function closeAfter<T>(sandbox: Sandbox, act: (sandbox: Sandbox) => T): T {
  let pending = false;
  try {
    const result = act(sandbox);
    if (result instanceof Promise) {
      pending = true;
      return result.finally(() => sandbox.close()) as T;
    }
    return result;
  } finally {
    if (!pending) sandbox.close();
  }
}

import { z } from "zod";
import { openSandbox } from "./open-sandbox.ts";
import type { SandboxHooks } from "./sandbox-hooks.ts";
import type { Sandbox } from "./sandbox.ts";

/** What every file tool needs of the host: the absolute path of the directory its paths are relative to. */
export const worktreeContext = z.object({ worktreePath: z.string() });

/** Does something inside the worktree's sandbox, which is open no longer than that. */
export function withSandbox<T>(worktreePath: string, act: (sandbox: Sandbox) => T, hooks: SandboxHooks = {}): T {
  const sandbox = openSandbox(worktreePath, hooks);
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

import { AsyncLocalStorage } from "node:async_hooks";
import { openMemory, type Approval, type Memory, type PendingMutation, type ToolManager } from "@dispatch/tool-memory";
import { oneLine } from "@dispatch/tools-interface/display";
import type { McpUser } from "@dispatch/tools-interface/mcp-server";

/** A memory that is opened when a call needs it: a list of tools does not. */
export interface LazyMemory {
  readonly manager: ToolManager;
  /** Does some work during which a proposed change is put before this user; `undefined`: it waits for a person. */
  during<T>(user: McpUser | undefined, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Asking {
  readonly user: McpUser | undefined;
  readonly signal: AbortSignal;
}

/** @param directory - Where it is kept. `undefined`: nowhere. */
export function lazyMemory(directory: string | undefined): LazyMemory {
  const asking = new AsyncLocalStorage<Asking>();
  let opened: Promise<Memory> | undefined;
  const open = (): Promise<Memory> =>
    (opened ??= openMemory(directory ?? ":memory:", {
      actor: "mcp-client",
      // The agent at the other end may have read anything.
      source: "tool",
      approve: (proposal) => askAbout(proposal, asking.getStore()),
    }));
  return {
    manager: {
      read: async (...args) => (await open()).manager.read(...args),
      write: async (...args) => (await open()).manager.write(...args),
      list: async (...args) => (await open()).manager.list(...args),
    },
    during: (user, signal, work) => asking.run({ user, signal }, work),
    async close() {
      await (await opened)?.close();
    },
  };
}

async function askAbout({ label, tier, diff }: PendingMutation, asking: Asking | undefined): Promise<Approval> {
  if (asking?.user === undefined) return undefined;
  const [, , ...changed] = diff.split("\n");
  const { approved, later, reason } = await asking.user.decide({
    text: `Let the agent write ${oneLine(label)} to its ${tier} memory?`,
    detail: changed.filter((row) => /^[+-]/.test(row)),
    signal: asking.signal,
  });
  if (approved) return true;
  return later === true ? undefined : { reject: reason ?? "the person said no" };
}

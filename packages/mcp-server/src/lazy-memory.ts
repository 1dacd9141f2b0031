import { AsyncLocalStorage } from "node:async_hooks";
import type { McpUser } from "@dispatch/mcp/server";
import { openMemory, type Approval, type Memory, type MemoryBlock, type ToolManager } from "@dispatch/tool-memory";
import { oneLine } from "@dispatch/tools-interface/display";

/** A memory that is opened when a call needs it: a list of tools does not. */
export interface LazyMemory {
  readonly manager: ToolManager;
  /** Runs a call of a client, during which its user is asked about changes. */
  during<T>(call: MemoryCall, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A call of a client. */
interface MemoryCall {
  /** The person to ask. `undefined`: the client cannot ask. */
  readonly user: McpUser | undefined;
  readonly signal: AbortSignal;
  /** Whether the model itself writes to memory: a program's writes are not put before a person one by one. */
  readonly writes: boolean;
}

type WriteResult = Awaited<ReturnType<ToolManager["write"]>>;

/**
 * The server cannot see what the model at the other end has read, so each of its texts counts as a tool's until a person vouches
 * for it: in a form that shows the whole text, or with the command `memory vouch`.
 *
 * @param directory - Where it is kept. `undefined`: nowhere.
 * @param onWaiting - Called when a change begins to wait for a person.
 */
export function lazyMemory(directory: string | undefined, onWaiting: () => void): LazyMemory {
  const calls = new AsyncLocalStorage<MemoryCall>();
  let mayAskToVouch = true;
  let opened: Promise<Memory> | undefined;
  const open = (): Promise<Memory> =>
    (opened ??= openMemory(directory ?? ":memory:", {
      actor: "mcp-client",
      source: "tool",
      approve: ({ label, tier, diff }) => {
        const [, , ...changed] = diff.split("\n");
        const shown = changed.filter((row) => /^[+-]/.test(row));
        return ask(`Let the agent write ${oneLine(label)} to its ${tier} memory?`, shown, calls.getStore());
      },
    }));

  const write: ToolManager["write"] = async (request) => {
    const { manager, admin } = await open();
    const result = await manager.write(request);
    const call = calls.getStore();
    if (result.outcome === "queued") {
      if (directory === undefined) return neverApproved(request.label, call?.user !== undefined);
      onWaiting();
    }
    if (result.outcome !== "applied" || result.block.trust !== "low" || call?.writes !== true) return result;
    if (call.user === undefined || !mayAskToVouch) return result;
    mayAskToVouch = (await askToVouch(result.block, call)) === true;
    if (!mayAskToVouch) return result;
    const { label, content, version } = result.block;
    const vouched = await admin.write({ label, content, expectVersion: version, reason: "vouched for in a form" });
    return vouched.outcome === "applied" ? { ...result, block: vouched.block } : result;
  };

  return {
    manager: {
      search: async (...args) => (await open()).manager.search(...args),
      write,
      list: async (...args) => (await open()).manager.list(...args),
    },
    during: (call, work) => calls.run(call, work),
    async close() {
      await (await opened)?.close();
    },
  };
}

/** Asks once; a client that fails to ask has a user who has not decided. */
async function ask(text: string, detail: readonly string[], call: MemoryCall | undefined): Promise<Approval> {
  if (call?.user === undefined) return undefined;
  const { approved, later, reason } = await call.user.decide({ text, detail, signal: call.signal });
  if (approved) return true;
  return later === true ? undefined : { reject: reason ?? "the person said no" };
}

function askToVouch({ label, content }: MemoryBlock, call: MemoryCall): Promise<Approval> {
  const text = `Is this note, ${oneLine(label)}, your own word? It was written; a yes makes later conversations trust it. A no leaves it unvouched for, and ends such questions until the server is started again`;
  return ask(text, content.split("\n"), call).catch(() => undefined);
}

/** A proposal in a memory that nobody can reach from outside, and that ends with the server. */
function neverApproved(label: string, canAsk: boolean): WriteResult {
  const why = canAsk
    ? "a person must approve it and has not decided, and this server keeps no memory in which it could wait; send it again only if your user wants to be asked again"
    : "a person must approve it, this client cannot ask (no elicitation), and this server keeps no memory in which it could wait; tell your user that --memory <dir> of the server keeps one";
  return { outcome: "refused", code: "approval_unavailable", reason: `Write to ${oneLine(label)} refused: ${why}` };
}

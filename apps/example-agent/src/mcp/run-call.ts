import type { McpCaller, McpDispatch } from "@dispatch/mcp/server";
import { createTrustTracker, type MemoryAdmin, type TrustTracker } from "@dispatch/tool-memory";
import { success, type ToolEvent, type ToolResult } from "@dispatch/tools-interface";
import type { Approver } from "../supervision/approver.ts";
import { createCallContext, TOOL_SOURCES } from "../supervision/call-context.ts";
import { reviewMemory } from "../supervision/review-memory.ts";

/** The parts of every call. */
export interface CallParts {
  /** Absolute path of the directory to work in. */
  readonly worktree: string;
  readonly admin: Pick<MemoryAdmin, "pending" | "approve" | "reject">;
  /** Receives each call that has ended. */
  readonly onEnd: (event: ToolEvent & { type: "call-end" }) => void;
}

/**
 * Runs the calls of MCP clients: each connection has a trust of its own, and a call's proposals for core memory are put
 * before the client's user when it has ended.
 */
export function createDispatch(parts: () => Promise<CallParts>): McpDispatch {
  const trusts = new WeakMap<object, TrustTracker>();
  return async (call, options, caller, registry) => {
    const { worktree, admin, onEnd } = await parts();
    const trust = trustOf(trusts, caller);
    const approver = caller.user && { name: "the client's person", ...caller.user };
    const proposed = new Set<string>();
    const result = await registry.dispatch(call, {
      ...options,
      context: createCallContext(worktree, approver, trust),
      onEvent(event) {
        trust.observe(event);
        options.onEvent?.(event);
        if (event.type !== "call-end") return;
        for (const id of proposalsIn(event)) proposed.add(id);
        if (event.parentCallId === undefined) onEnd(event);
      },
    });
    return withNotes(result, await review(proposed, admin, approver, options.signal));
  };
}

/** The agent at the other end may have read anything elsewhere, so its trust begins as low as a tool's text. */
function trustOf(trusts: WeakMap<object, TrustTracker>, { connection }: McpCaller): TrustTracker {
  const before = [{ name: "unknown", result: { success: true } }];
  const trust = trusts.get(connection) ?? createTrustTracker({ sources: TOOL_SOURCES, before });
  trusts.set(connection, trust);
  return trust;
}

/** Puts this call's proposals before the person, and none that wait from elsewhere. */
async function review(
  proposed: ReadonlySet<string>,
  admin: CallParts["admin"],
  approver: Approver | undefined,
  signal = new AbortController().signal,
): Promise<readonly string[]> {
  if (proposed.size === 0 || approver === undefined || signal.aborted) return [];
  const pending = async (): ReturnType<MemoryAdmin["pending"]> =>
    (await admin.pending()).filter(({ id }) => proposed.has(id));
  const theirs = {
    pending,
    approve: (id: string) => admin.approve(id),
    reject: (id: string, reason: string) => admin.reject(id, reason),
  };
  try {
    const reviews = await reviewMemory(theirs, approver, new Set(), signal);
    return reviews.map(({ about, outcome }) => `${about}: ${outcome} by the person`);
  } catch {
    return ["The proposed change was left for later: the person could not be asked"];
  }
}

function withNotes(result: ToolResult, notes: readonly string[]): ToolResult {
  if (notes.length === 0 || !result.success) return result;
  const { output, data, metadata, content = [{ type: "text", text: output }] } = result;
  const added = notes.map((text) => ({ type: "text", text }) as const);
  return success([output, ...notes].join("\n"), { data, metadata, content: [...content, ...added] });
}

function proposalsIn({ result }: ToolEvent & { type: "call-end" }): readonly string[] {
  const { outcome, mutation } = dataOf(result);
  const id =
    outcome === "queued" && typeof mutation === "object" && mutation !== null && "id" in mutation && mutation.id;
  return typeof id === "string" ? [id] : [];
}

function dataOf(result: ToolResult): { readonly outcome?: unknown; readonly mutation?: unknown } {
  return result.success && typeof result.data === "object" && result.data !== null ? result.data : {};
}

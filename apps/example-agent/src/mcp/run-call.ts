import type { MemorySteward, TrustTracker } from "@dispatch/tool-memory";
import type { ToolCall, ToolEvent, ToolObserver, ToolResult } from "@dispatch/tools-interface";
import { toMcpResult, type McpResult } from "@dispatch/tools-interface/mcp";
import { approveCallsBy } from "../supervision/approve-calls.ts";
import type { Approver } from "../supervision/approver.ts";
import { createCallContext } from "../supervision/call-context.ts";
import { reviewMemory } from "../supervision/review-memory.ts";
import { RunningCalls } from "../terminal/running-calls.ts";
import type { Catalogue } from "./catalogue.ts";

/** What one call takes place with. */
export interface CallOptions extends Pick<Catalogue, "registry"> {
  /** Absolute path of the directory to work in. */
  readonly worktree: string;
  readonly steward: Pick<MemorySteward, "pending" | "approve" | "reject">;
  /** Who can be asked; `undefined`: nobody. */
  readonly approver: Approver | undefined;
  /** How far what is remembered now may be believed. */
  readonly trust: TrustTracker;
  readonly signal: AbortSignal;
  /** Hears of the call and of the calls made by it. */
  readonly onEvent: ToolObserver;
}

/**
 * Runs a call, asks the person what needs one, and afterwards what it proposed for core memory.
 */
export async function runCall(call: ToolCall, options: CallOptions): Promise<McpResult> {
  const { registry, worktree, approver, trust, signal, onEvent } = options;
  const running = new RunningCalls();
  const proposed = new Set<string>();
  const result = await registry.dispatch(call, {
    context: createCallContext(worktree, approver, trust),
    signal,
    ...(approver && { approve: approveCallsBy(approver, (callId) => running.callerOf(callId)) }),
    onEvent(event) {
      trust.observe(event);
      onEvent(event);
      if (event.type === "call-start") running.start(event);
      if (event.type !== "call-end") return;
      running.end(event.callId);
      for (const id of proposalsIn(event)) proposed.add(id);
    },
  });
  const answer = toMcpResult(result);
  for (const text of await review(proposed, options)) answer.content.push({ type: "text", text });
  return answer;
}

/** Puts what this call proposed before the person, and nothing that waits from elsewhere. */
async function review(
  proposed: ReadonlySet<string>,
  { steward, approver, signal }: CallOptions,
): Promise<readonly string[]> {
  if (proposed.size === 0 || approver === undefined || signal.aborted) return [];
  const pending = async (): ReturnType<MemorySteward["pending"]> =>
    (await steward.pending()).filter(({ id }) => proposed.has(id));
  const theirs = {
    pending,
    approve: (id: string) => steward.approve(id),
    reject: (id: string, reason: string) => steward.reject(id, reason),
  };
  try {
    const reviews = await reviewMemory(theirs, approver, new Set(), signal);
    return reviews.map(({ about, outcome }) => `${about}: ${outcome} by the person`);
  } catch {
    return ["The proposed change was left for later: the person could not be asked"];
  }
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

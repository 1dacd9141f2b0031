import type { ToolCall } from "../call/parse-call.ts";
import type { NestedDispatch } from "../call/tool.ts";
import type { AnyToolRegistry } from "../registry/tool-registry.ts";
import { failure, type ToolResult } from "../result/tool-result.ts";
import type { AgentBudget } from "./agent-budget.ts";

/** Some calls of an agent wait for a person, so the agent waits too. */
export class AgentPending extends Error {
  override readonly name = "AgentPending";
}

/** Who makes the calls of a turn. */
export interface CallingAgent {
  readonly dispatch: NestedDispatch;
  readonly registry: AnyToolRegistry;
  readonly budget: AgentBudget;
  /** Names the turn where the provider does not. */
  readonly turn: string;
  /** Whether the agent can go on from here in another process. */
  readonly isDurable: boolean;
}

/**
 * Runs the calls of one turn, in their order: those of tools that declare no changes at the same time, each other one alone.
 *
 * @throws {AgentPending} When a call waits for a person and the agent can go on later.
 */
export async function runAgentCalls(calls: readonly ToolCall[], agent: CallingAgent): Promise<readonly ToolResult[]> {
  const { dispatch, registry, budget, isDurable } = agent;
  const results: ToolResult[] = [];
  let together: Promise<void>[] = [];
  const run = async (call: ToolCall, index: number): Promise<void> => {
    results[index] = budget.takeCall()
      ? await dispatch({ ...call, turn: call.turn ?? agent.turn }, { registry })
      : failure(`${call.name} was not called: the agent may make no more calls. Give your result now`, {
          code: "budget_exhausted",
          effects: "none",
        });
  };
  for (const [index, call] of calls.entries()) {
    const isAlone = !registry.has(call.name) || registry.get(call.name).declaresChanges;
    if (isAlone) {
      await Promise.all(together);
      together = [];
      await run(call, index);
    } else together.push(run(call, index));
  }
  await Promise.all(together);
  if (isDurable && results.some((result) => !result.success && result.code === "approval_pending")) {
    throw new AgentPending("calls of the agent wait for a person");
  }
  return results;
}

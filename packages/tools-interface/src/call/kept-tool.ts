import { ToolError } from "../error/tool-error.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { toPromise } from "../wait/thenable.ts";
import type { KeptTool } from "./kept-call.ts";
import type { RunningCall } from "./running-call.ts";

/** The parts of a tool that {@link keptTool} reads. */
interface ReconcilableTool extends Omit<KeptTool, "reconcile"> {
  readonly reconcile: ((params: unknown, run: RunningCall) => unknown) | undefined;
  readonly execute: (params: unknown, run: RunningCall) => unknown;
}

/**
 * The tool of a call as its keeper sees it.
 *
 * @param ask Runs a tool that asks instead of acts, with the call's timeout and cancellation.
 */
export function keptTool<Executable extends ReconcilableTool>(
  tool: Executable,
  params: unknown,
  run: RunningCall,
  ask: (asking: Executable) => ToolResult | Promise<ToolResult>,
): KeptTool {
  const { name, annotations, fingerprint, resumable, reconcile } = tool;
  return { name, annotations, fingerprint, resumable, reconcile: reconcile && reconciled };

  /** Only a result of `reconcile` counts: a throw, a timeout or data that do not fit leave the outcome unknown. */
  async function reconciled(): Promise<ToolResult | undefined> {
    let hasAnswered = false;
    const execute = async (): Promise<unknown> => {
      const answer = await toPromise(reconcile?.(params, run));
      hasAnswered = answer !== undefined;
      if (!hasAnswered) throw new ToolError("nothing is known of the effect", { code: "outcome_unknown" });
      return answer;
    };
    const result = await ask({ ...tool, reconcile: undefined, execute });
    const isUnfit = !result.success && ["timeout", "cancelled", "invalid_output"].includes(result.code);
    return hasAnswered && !isUnfit ? result : undefined;
  }
}

import { checkOptions } from "../error/check-options.ts";
import { callTool } from "../run-call.ts";
import type { CallableTool } from "./callable-tool.ts";
import type { ApprovalRequest, Approver, CallOptions } from "./tool.ts";

/**
 * The request an approver would receive for a call; `undefined` if none would be made, because no approval is needed or
 * the call fails before. Runs the tool's own rule and nothing else of the tool. Never rejects.
 */
export async function approvalRequestOf(
  tool: CallableTool,
  params: unknown,
  options: Pick<CallOptions, "callId"> & { readonly context?: unknown },
): Promise<ApprovalRequest | undefined> {
  checkOptions("ask for an approval request", options, { callId: true, context: true });
  let asked: ApprovalRequest | undefined;
  const approve: Approver = (request) => {
    asked = request;
    return false;
  };
  const { callId, context } = options;
  const given = { callId, context: context as object, approve };
  await callTool({ ...tool, execute: () => "", output: undefined }, params, given);
  return asked;
}

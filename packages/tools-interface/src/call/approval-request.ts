import { callTool, type CallableTool } from "./call-pipeline.ts";
import type { ApprovalRequest, Approver, CallOptions } from "./tool.ts";

/**
 * What an approver would be asked about a call; `undefined` when nobody would be asked, because no approval is needed or
 * the call fails before. Runs the tool's own rule and nothing else of the tool. Never rejects.
 */
export async function approvalRequestOf(
  tool: CallableTool,
  params: unknown,
  options: Pick<CallOptions, "callId"> & { readonly context?: unknown },
): Promise<ApprovalRequest | undefined> {
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

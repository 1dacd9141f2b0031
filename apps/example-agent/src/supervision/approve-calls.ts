import type { Approver as CallApprover } from "@dispatch/tools-interface";
import { showArguments } from "@dispatch/tools-interface/display";
import type { Approver } from "./approver.ts";

/**
 * Asks an approver about every call that needs approval: calls of the model and calls of programs it wrote.
 *
 * @param callerOf - Returns the name of the tool that made a call from inside its own call, if any.
 */
export function approveCallsBy(approver: Approver, callerOf: (callId: string) => string | undefined): CallApprover {
  return ({ callId, name, params, signal }) => {
    const caller = callerOf(callId);
    const from = caller === undefined ? "" : `, from ${caller}`;
    const text = `Let the agent call ${name}${from}?`;
    return approver.decide({ text, detail: showArguments(params), callId, signal });
  };
}

import { thrownMessage } from "./tool-error.ts";
import { failure, type ToolFailure } from "./tool-result.ts";
import type { ApprovalRequest, Approver } from "./tool.ts";

/** Asks whether a call may run. `undefined` means yes; every doubt is a no. Cancelling the call ends the question. */
export async function askApproval(
  request: ApprovalRequest,
  approve: Approver | undefined,
  cancelled: () => ToolFailure,
): Promise<ToolFailure | undefined> {
  const { name, signal } = request;
  if (approve === undefined) {
    return denied(`${name} needs a person's approval: nobody can be asked here. Do without it, or ask the user`);
  }
  try {
    const decision = await unlessAborted(Promise.resolve(approve(request)), signal);
    if (signal.aborted) return cancelled();
    if (decision === true || (typeof decision === "object" && decision?.approved === true)) return undefined;
    const reason = typeof decision === "object" ? decision?.reason : undefined;
    return denied(`${name} was denied: ${reason || "no reason was given"}. Do not repeat the same call`);
  } catch (error) {
    if (signal.aborted) return cancelled();
    return denied(`${name} was not approved: asking failed, ${thrownMessage(error)}`);
  }
}

function denied(text: string): ToolFailure {
  return failure(text, { code: "denied" });
}

function unlessAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    signal.addEventListener("abort", stop, { once: true });
    pending.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

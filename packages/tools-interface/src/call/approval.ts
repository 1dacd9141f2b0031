import { thrownMessage } from "../error/tool-error.ts";
import { canonicalText } from "../json/canonical-text.ts";
import { deepFreeze } from "../json/json.ts";
import { sha256 } from "../json/sha256.ts";
import { failure, type ToolFailure } from "../result/tool-result.ts";
import { withTimeout } from "../wait/with-timeout.ts";
import type { ToolAnnotations } from "./tool-annotations.ts";
import type { ApprovalDecision, ApprovalRequest, Approver } from "./tool.ts";

/** Default of `approvalTimeoutMs`: how long an approver may take, in milliseconds. */
const DEFAULT_APPROVAL_TIMEOUT_MS = 600_000;

/** The call that needs a person's approval. */
export interface CallToApprove {
  readonly callId: string;
  readonly name: string;
  /** Fingerprint of the tool. */
  readonly fingerprint: string;
  readonly annotations: ToolAnnotations;
  /** The arguments as the model sent them. */
  readonly sent: unknown;
  /** The validated parameters that the tool receives. */
  readonly params: unknown;
}

/** The options of a call that concern its approval. */
export interface ApprovalOptions {
  readonly approve?: Approver | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly approvalTimeoutMs?: number | undefined;
}

/**
 * Asks the approver whether a call may run. `undefined` means approved. Everything else denies: no approver, an invalid
 * answer, an answer after the timeout, and parameters that changed while the approver was asked.
 */
export async function askApproval(call: CallToApprove, options: ApprovalOptions): Promise<ToolFailure | undefined> {
  const { name } = call;
  const { approve, signal, approvalTimeoutMs: timeoutMs = DEFAULT_APPROVAL_TIMEOUT_MS } = options;
  if (approve === undefined) {
    return denied(`${name} needs a person's approval: nobody can be asked here. Do without it, or ask the user`);
  }
  const ended = new AbortController();
  try {
    const digest = digestOf(call);
    const request = { ...requestOf(call), digest, expiresAt: Date.now() + timeoutMs, signal: ended.signal };
    const answer = Promise.resolve(approve(request));
    const decision = await withTimeout(answer, { timeoutMs, signal }, () => {
      ended.abort();
      return undefined;
    });
    if (signal?.aborted) return undefined;
    if (ended.signal.aborted) return denied(`${name} was not approved: nobody answered in time. Do without it for now`);
    if (digestOf(call) !== digest)
      return denied(`${name} was not approved: its parameters changed while it was asked for`);
    return answerTo(name, decision);
  } catch (thrown) {
    return denied(`${name} was not approved: asking failed, ${thrownMessage(thrown)}`);
  }
}

function answerTo(name: string, decision: ApprovalDecision | undefined): ToolFailure | undefined {
  if (decision === true) return undefined;
  if (typeof decision !== "object" || decision === null) return refused(name, undefined);
  if (decision.approved === true) return undefined;
  if (decision.pending !== true) return refused(name, decision.reason);
  const why = decision.reason ? `: ${decision.reason}` : "";
  return failure(
    `${name} waits for a person's approval${why}. It has not run; do not call it again before it is approved`,
    {
      code: "approval_pending",
    },
  );
}

function refused(name: string, reason: string | undefined): ToolFailure {
  return denied(`${name} was denied: ${reason || "no reason was given"}. Do not repeat the same call`);
}

function denied(text: string): ToolFailure {
  return failure(text, { code: "denied" });
}

function digestOf({ callId, name, fingerprint, sent }: CallToApprove): string {
  return sha256(canonicalText([callId, name, fingerprint, sent ?? {}]));
}

/** Parameters are shown as a frozen copy, so that the approver cannot change what will run. */
function requestOf({
  callId,
  name,
  params,
  annotations,
}: CallToApprove): Pick<ApprovalRequest, "callId" | "name" | "params" | "annotations"> {
  try {
    return { callId, name, annotations, params: deepFreeze(structuredClone(params)) };
  } catch {
    return { callId, name, annotations, params };
  }
}

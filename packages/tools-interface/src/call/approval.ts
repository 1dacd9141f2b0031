import { quote } from "../error/describe-received.ts";
import { describeThrown } from "../error/tool-error.ts";
import { canonicalText, deepFreeze, jsonSnapshot, ownFields } from "../json/json.ts";
import { sha256 } from "../json/sha256.ts";
import { notStartedResult } from "../result/tool-output.ts";
import { failure, type ToolFailure } from "../result/tool-result.ts";
import { toPromise } from "../wait/thenable.ts";
import { withTimeout } from "../wait/with-timeout.ts";
import { type DefaultedField, resolvedDefaults, withDefaults } from "./resolved-defaults.ts";
import type { ApprovalDecision, ApprovalRequest, CallOptions, EditCheck } from "./tool.ts";

/** Default of `approvalTimeoutMs`: how long an approver may take, in milliseconds. */
const DEFAULT_APPROVAL_TIMEOUT_MS = 600_000;

/** The call that needs a person's approval. Parameters and repairs are those it would run with. */
interface CallToApprove extends Omit<
  ApprovalRequest,
  "approvalContext" | "defaults" | "digest" | "callDigest" | "expiresAt" | "signal" | "check"
> {
  /** The arguments as the model sent them. */
  readonly sent: unknown;
  /** The model's turn, which a numbered id says nothing without. */
  readonly turn?: string | undefined;
  /** Reads the part of the host's context that decides the effect. */
  readonly context: () => unknown;
  /** What becomes of edited parameters. May reject when the schema's own code throws. */
  readonly check: (params: unknown) => Promise<EditCheck>;
}

/** The parameters and context an approved call runs with. */
interface Approved {
  readonly params: unknown;
  /** The person's edited parameters, unchecked, if they edited them. */
  readonly edited?: { readonly params: unknown };
  /** The defaults that were shown, where JSON holds them: a schema may compute others the next time. */
  readonly defaults?: readonly DefaultedField[];
}

/**
 * Asks the approver whether a call may run. Everything but an approval denies: no approver, an invalid answer, an answer
 * after the timeout, and parameters or context that changed while the approver was asked.
 */
export async function askApproval(
  call: CallToApprove,
  options: Pick<CallOptions, "approve" | "signal" | "approvalTimeoutMs">,
): Promise<Approved | ToolFailure> {
  const { sent, turn: _, params, context, check, ...shown } = call;
  const { name } = shown;
  const { approve, signal, approvalTimeoutMs: timeoutMs = DEFAULT_APPROVAL_TIMEOUT_MS } = options;
  if (approve === undefined) {
    return denied(`${name} needs a person's approval: nobody can be asked here. Do without it, or ask the user`);
  }
  const ended = new AbortController();
  try {
    const { fields, isExact } = resolvedDefaults(sent, params);
    const digest = digestOf(call, fields);
    const approvalContext = jsonSnapshot(context());
    // The approver cannot change the values that will run: it is shown frozen copies.
    const request: ApprovalRequest = {
      ...shown,
      params: copyOf(params),
      ...(approvalContext !== undefined && { approvalContext }),
      check: (edited) => checkCopy(check, edited),
      defaults: fields,
      digest,
      ...(isExact && { callDigest: digestOf(call, []) }),
      expiresAt: Date.now() + timeoutMs,
      signal: ended.signal,
    };
    const answer = toPromise(approve(request));
    const decision = await withTimeout(answer, { timeoutMs, signal }, () => {
      ended.abort();
      return undefined;
    });
    if (signal?.aborted) return notStartedResult(name);
    if (ended.signal.aborted) return denied(`${name} was not approved: nobody answered in time. Do without it for now`);
    if (digestOf(call, resolvedDefaults(sent, params).fields) !== digest)
      return denied(`${name} was not approved: its parameters changed while it was asked for`);
    // Nobody gave an answer that an object inherits.
    const answered = typeof decision === "object" && decision !== null ? ownFields(decision) : decision;
    const refusal = answerTo(name, answered);
    if (refusal !== undefined) return refusal;
    const { defaults: granted, params: edited } = typeof answered === "object" ? answered : {};
    if (edited !== undefined) return { params, edited: { params: jsonSnapshot(edited) } };
    const resolved = granted === undefined ? params : withDefaults(params, fields, granted);
    return resolved === undefined
      ? denied(`${name} was not approved: what was granted is not the call that would run`)
      : { params: resolved, ...(isExact && fields.length > 0 && { defaults: granted ?? fields }) };
  } catch (thrown) {
    return denied(`${name} was not approved: asking failed, ${describeThrown(thrown)}`);
  }
}

/** The fields of an answer. */
const DECISION_FIELDS: ReadonlySet<string> = new Set(["approved", "pending", "reason", "defaults", "params"]);

function answerTo(name: string, decision: ApprovalDecision | undefined): ToolFailure | undefined {
  if (decision === true) return undefined;
  if (typeof decision !== "object" || decision === null) return refused(name, undefined);
  const { approved, pending } = decision;
  const stray = Object.entries(decision).find(([field, value]) => value !== undefined && !DECISION_FIELDS.has(field));
  // It may take the approval back under another name.
  if (approved === true && stray !== undefined)
    return denied(`${name} was not approved: the approver's answer has a field ${quote(stray[0])}, which is unknown`);
  if (approved === true && (pending === undefined || pending === false)) return undefined;
  // One that says yes and later, or no and yes in another form, is a mistake of the host's: nobody has agreed.
  if (approved === true || pending !== true) return refused(name, decision.reason);
  const why = decision.reason ? `: ${decision.reason}` : "";
  return failure(
    `${name} waits for a person's approval${why}. It has not run; do not call it again before it is approved`,
    {
      code: "approval_pending",
      effects: "none",
    },
  );
}

function digestOf(call: CallToApprove, defaults: readonly DefaultedField[]): string {
  const { callId, name, fingerprint, sent, context, parents, turn } = call;
  const resolved = defaults.map(({ path, value }) => [path, value]);
  const about = [callId, name, fingerprint, sent ?? {}, resolved, context() ?? null];
  if (turn !== undefined || parents.length > 0) {
    about.push(turn ?? null, ...parents.map((parent) => [parent.callId, parent.name, parent.caller ?? "tool"]));
  }
  return sha256(canonicalText(about));
}

async function checkCopy(check: CallToApprove["check"], edited: unknown): Promise<EditCheck> {
  try {
    const checked = await check(jsonSnapshot(edited));
    return checked.fits ? { fits: true, params: copyOf(checked.params) } : checked;
  } catch (thrown) {
    return { fits: false, reason: `The edited parameters could not be checked: ${describeThrown(thrown)}` };
  }
}

/** Values that cannot be cloned, such as functions that a schema made, are shown in their JSON form. */
function copyOf(params: unknown): unknown {
  try {
    return deepFreeze(structuredClone(params));
  } catch {
    return jsonSnapshot(params);
  }
}

/** The failure of a call that a person, or a program on their behalf, denied. */
export function refused(name: string, reason: string | undefined): ToolFailure {
  return denied(`${name} was denied: ${reason || "no reason was given"}. Do not repeat the same call`);
}

/** The failure of a call that may not run. It had no effects, so that it may be granted and dispatched later. */
export function denied(text: string): ToolFailure {
  return failure(text, { code: "denied", effects: "none" });
}

import { thrownMessage } from "../error/tool-error.ts";
import { canonicalText } from "../json/canonical-text.ts";
import { deepFreeze } from "../json/json.ts";
import { sha256 } from "../json/sha256.ts";
import { failure, type ToolFailure } from "../result/tool-result.ts";
import { onAbort } from "../wait/on-abort.ts";
import type { ToolAnnotations } from "./tool-annotations.ts";
import type { ApprovalDecision, ApprovalRequest, Approver } from "./tool.ts";

/** How long an approver may take unless the call says otherwise, in milliseconds. */
const DEFAULT_APPROVAL_TIMEOUT_MS = 600_000;

/** The call that a person is asked about. */
export interface CallToApprove {
  readonly callId: string;
  readonly name: string;
  /** Of the tool. */
  readonly fingerprint: string;
  readonly annotations: ToolAnnotations;
  /** What was sent. */
  readonly sent: unknown;
  /** What the tool will be given. */
  readonly params: unknown;
}

/** How the question is asked. */
export interface ApprovalOptions {
  readonly approve?: Approver | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly approvalTimeoutMs?: number | undefined;
}

/**
 * Asks whether a call may run. `undefined` means yes, to this very call; every doubt is a no: no approver, an answer
 * that is none, one that comes too late, and parameters that changed while the question was open.
 */
export async function askApproval(call: CallToApprove, asking: ApprovalOptions): Promise<ToolFailure | undefined> {
  const { name } = call;
  const { approve, signal } = asking;
  if (approve === undefined) {
    return denied(`${name} needs a person's approval: nobody can be asked here. Do without it, or ask the user`);
  }
  const waiting = new Waiting(asking.approvalTimeoutMs ?? DEFAULT_APPROVAL_TIMEOUT_MS, signal);
  try {
    const digest = digestOf(call);
    const request = { ...requestOf(call), digest, expiresAt: waiting.expiresAt, signal: waiting.signal };
    const decision = await waiting.orEnd(approve(request));
    if (signal?.aborted) return undefined;
    if (waiting.signal.aborted)
      return denied(`${name} was not approved: nobody answered in time. Do without it for now`);
    if (digestOf(call) !== digest)
      return denied(`${name} was not approved: its parameters changed while it was asked for`);
    return answerTo(name, decision);
  } catch (thrown) {
    return denied(`${name} was not approved: asking failed, ${thrownMessage(thrown)}`);
  } finally {
    waiting.end();
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

/** Parameters are shown as a copy: whoever decides cannot change what will run. */
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

/** An open question: it ends when it is answered, when it lapses, or when the call is cancelled. */
class Waiting {
  readonly expiresAt: number;
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #detach: (() => void) | undefined;
  readonly #abort = (): void => this.#controller.abort();

  constructor(ms: number, outer: AbortSignal | undefined) {
    this.expiresAt = Date.now() + ms;
    this.#timer = setTimeout(this.#abort, ms);
    this.#detach = outer && onAbort(outer, this.#abort);
    if (outer?.aborted) this.#abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The answer, or `undefined` as soon as nobody waits for it any more. */
  orEnd<T>(answer: T | PromiseLike<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) resolve(undefined);
      this.signal.addEventListener("abort", () => resolve(undefined));
      Promise.resolve(answer).then(resolve, reject);
    });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#detach?.();
  }
}

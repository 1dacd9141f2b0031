import type { ApprovalRequest } from "../call/tool.ts";
import { showArguments } from "../display/show-arguments.ts";
import type { OpenWait } from "../durable/durable-engine.ts";
import type { JsonValue } from "../json/json-snapshot.ts";
import { jsonOrReason, isJsonObject } from "../json/json.ts";

/** The kind of waits that are approvals. */
export const APPROVAL = "approval";

/** The harm a call can do, as far as it is known. */
export interface ApprovalRisk {
  /** `high`: it may destroy something. `low`: it changes nothing. */
  readonly level: "low" | "medium" | "high";
  /** Reasons for caution, one short sentence each. */
  readonly reasons: readonly string[];
}

/** A call that waits for a person, as anybody who may answer is shown it. Plain data. */
export interface WaitingApproval {
  /** Identifies the question for `desk.answer`. */
  readonly key: string;
  /** The conversation that the host named. */
  readonly session: string;
  /** The agent that the host named. */
  readonly agent: string;
  /** Name of the tool. */
  readonly tool: string;
  /** Identifies the call. */
  readonly callId: string;
  /** Fingerprint of the tool. */
  readonly fingerprint: string;
  /** The calls around it, outermost first: agents, programs and other tools. */
  readonly parents: ApprovalRequest["parents"];
  /** The tool's parameters, as JSON; a text with the reason if JSON cannot hold them. */
  readonly params: unknown;
  /** The parameters line by line: texts as they will stand, edits as a diff. Safe to show. */
  readonly detail: readonly string[];
  /** The fields that the call left out, with their values. */
  readonly defaults: ApprovalRequest["defaults"];
  /** Repairs made to a damaged call. */
  readonly repairs: ApprovalRequest["repairs"];
  /** The tool's annotations. */
  readonly annotations: ApprovalRequest["annotations"];
  /** The part of the host's context that decides the effect. */
  readonly approvalContext?: unknown;
  /** The rules of a policy that ask. */
  readonly policy?: ApprovalRequest["policy"];
  /** How much harm it can do. */
  readonly risk: ApprovalRisk;
  /** When it was first asked, Unix time in milliseconds. */
  readonly since: number;
  /** When the question lapses, Unix time in milliseconds. */
  readonly expiresAt: number | undefined;
}

/** A request as data that is stored and shown. */
export function toQuestion(request: ApprovalRequest, session: string, agent: string): JsonValue {
  const { name, callId, fingerprint, parents, params, defaults, repairs, annotations, approvalContext, policy } =
    request;
  const shown = jsonOrReason(params);
  const call = { session, agent, tool: name, callId, fingerprint, parents, params: shown, defaults, repairs };
  const about = { annotations, approvalContext, policy, detail: showArguments(shown), risk: riskOf(request) };
  return jsonOrReason({ ...call, ...about }) as JsonValue;
}

/** The approval that a wait stands for; `undefined` for any other wait. */
export function fromWait({ key, kind, question, since, expiresAt }: OpenWait): WaitingApproval | undefined {
  if (kind !== APPROVAL || !isJsonObject(question)) return undefined;
  return { ...(question as unknown as Omit<WaitingApproval, "key">), key, since, expiresAt };
}

function riskOf({ annotations, repairs, parents, policy }: ApprovalRequest): ApprovalRisk {
  const { readOnly, destructive, idempotent, openWorld } = annotations;
  const reasons = [
    destructive && "it may overwrite or delete",
    !readOnly && !idempotent && "a second run would do it again",
    openWorld && "it reaches beyond this machine",
    parents.some(({ caller }) => caller === "program") && "a program makes the call",
    repairs.length > 0 && "the call was damaged and has been repaired",
    policy?.reason,
  ].filter((reason): reason is string => typeof reason === "string");
  const level = destructive ? "high" : readOnly ? "low" : "medium";
  return { level, reasons };
}

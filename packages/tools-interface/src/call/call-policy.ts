import { type OptionNames, unknownName } from "../error/check-options.ts";
import { thrownMessage } from "../error/tool-error.ts";
import { type JsonValue, ownFields } from "../json/json.ts";
import { failure, isToolResult, type ToolFailure } from "../result/tool-result.ts";
import { beforeStart, type StartingTool } from "../wait/before-start.ts";
import { toPromise } from "../wait/thenable.ts";
import type { ParentCall, ToolCaller } from "./parse-call.ts";
import type { ToolAnnotations } from "./tool-annotations.ts";

/** A validated call, as a policy decides about it. */
export interface DecidedCall {
  /** Identifies the call. */
  readonly callId: string;
  /** Name of the tool. */
  readonly name: string;
  /** Fingerprint of the tool. */
  readonly fingerprint: string;
  /** The tool's annotations. */
  readonly annotations: ToolAnnotations;
  /** The validated parameters as JSON, frozen. `undefined` when JSON cannot hold them: then a policy cannot know them. */
  readonly params: JsonValue | undefined;
  /** The calls whose tools make this call, outermost first. */
  readonly parents: readonly ParentCall[];
  /** Who gets the result. */
  readonly caller: ToolCaller;
  /** The host's context for the call. */
  readonly context: unknown;
}

/** A policy's decision about one call. */
export interface CallDecision {
  /**
   * `deny`: the call does not run, even if a person agrees. `ask`: a person has to agree, also if the tool does not
   * need it. `allow`: it runs without a question. `default`: the tool's own rule decides, as without a policy.
   */
  readonly decision: "allow" | "ask" | "deny" | "default";
  /** The rules that decided, by id. */
  readonly rules: readonly string[];
  /** Why, for the model and for the person who is asked. */
  readonly reason?: string | undefined;
}

/** Decides about every call of a registry before it runs. A throw or an odd decision denies. Made by `createPolicy` of `@dispatch/policy`. */
export type CallPolicy = (call: DecidedCall) => CallDecision | Promise<CallDecision>;

const DECISION_FIELDS: OptionNames<CallDecision> = { decision: true, rules: true, reason: true };
const DECISIONS: ReadonlySet<unknown> = new Set(["allow", "ask", "deny", "default"]);

/** The decision of a policy; a failure when it denies, fails, takes too long, or says anything else. Never rejects. */
export async function decide(
  policy: CallPolicy,
  call: DecidedCall,
  tool: StartingTool,
  signal: AbortSignal | undefined,
): Promise<CallDecision | ToolFailure> {
  try {
    const byPolicy = await beforeStart(toPromise(policy(call)), tool, signal);
    if (isToolResult(byPolicy)) return byPolicy;
    const { decision, rules, reason } = ownFields(byPolicy);
    const isSound = DECISIONS.has(decision) && Array.isArray(rules);
    if (!isSound) return policyDenied(tool.name, { rules: [], reason: "the policy gave no decision" });
    const unknown = unknownName(byPolicy, DECISION_FIELDS);
    if (unknown !== undefined) {
      const odd = `the policy's decision has a field ${JSON.stringify(unknown.slice(0, 100))}, which is unknown`;
      return policyDenied(tool.name, { rules: [], reason: odd });
    }
    return decision === "deny" ? policyDenied(tool.name, { rules, reason }) : { decision, rules, reason };
  } catch (thrown) {
    return policyDenied(tool.name, { rules: [], reason: `the policy failed, ${thrownMessage(thrown)}` });
  }
}

/** `default` may ask, so it is stricter than `allow`. */
const STRICTEST = ["deny", "ask", "default", "allow"] as const;

/** A policy of two: the stricter decision counts, and names the rules of both where they agree. */
export function bothPolicies(first: CallPolicy | undefined, second: CallPolicy | undefined): CallPolicy | undefined {
  if (first === undefined || second === undefined || first === second) return first ?? second;
  return async (call) => {
    const [one, other] = await Promise.all([first(call), second(call)]);
    if (one.decision === other.decision) return { ...one, rules: [...one.rules, ...other.rules] };
    const rank = ({ decision }: CallDecision): number => STRICTEST.indexOf(decision);
    return rank(one) < rank(other) ? one : other;
  };
}

/** The failure of a call that a policy denies. Its rules stand in the text and, for the host, in `metadata.policy`. */
function policyDenied(
  name: string,
  { rules, reason }: { readonly rules: readonly string[]; readonly reason?: string | undefined },
): ToolFailure {
  const by = rules.length === 0 ? "" : ` (${rules.join(", ")})`;
  const why = reason ? `: ${reason}` : "";
  return failure(`${name} was denied by policy${by}${why}. Nobody can allow this call; do not repeat it`, {
    code: "denied",
    effects: "none",
    metadata: { policy: { decision: "deny", rules } },
  });
}

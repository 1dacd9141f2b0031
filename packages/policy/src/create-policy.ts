import {
  type CallDecision,
  type DecidedCall,
  type ApprovalDecision,
  type ApprovalRequest,
  type Approver,
  type JsonValue,
} from "@dispatch/tools-interface";
import {
  checkOptions,
  canonicalText,
  jsonSnapshot,
  jsonOrReason,
  sha256,
  callObserver,
} from "@dispatch/tools-interface/internal";
import { ruleCompiler, type PolicyTool } from "./compile-rule.ts";
import { checkRules, isAbout, PolicyError, type PolicyRule } from "./policy-rule.ts";
import { ANNOTATIONS, type CallFacts, type Facts } from "./rule-language.ts";
import type { StandingGrants } from "./standing-grants.ts";

/** The rules that hold for one call, by effect. */
interface HoldingRules {
  readonly deny: readonly PolicyRule[];
  readonly ask: readonly PolicyRule[];
  readonly allow: readonly PolicyRule[];
  /**
   * Rules whose condition could not be evaluated, with the reason. Of these, `deny` and `ask` hold and `allow` does
   * not.
   */
  readonly uncertain: readonly { readonly rule: string; readonly reason: string }[];
}

/** One decision, for a log. */
export interface PolicyReport {
  /** The call that was decided. */
  readonly call: DecidedCall;
  /** The decision; in shadow mode, the one that would have been made. */
  readonly decision: CallDecision;
  /** Whether it counts. False in shadow mode. */
  readonly isEnforced: boolean;
  /**
   * Rules whose condition could not be evaluated. `deny` and `ask` rules count as if it held, `allow` rules as if not.
   */
  readonly uncertain: HoldingRules["uncertain"];
}

/** Options of {@link createPolicy}. */
export interface PolicyOptions {
  /** The rules, in any order. */
  readonly rules: readonly PolicyRule[];
  /** The tools that rules may be about. A name stands for a tool that comes later, whose fields cannot be checked. */
  readonly tools: Iterable<PolicyTool>;
  /** The decision on a call that no rule is about: `deny`, `ask`, or the tool's own rule. Default `tool`. */
  readonly otherwise?: "deny" | "ask" | "tool";
  /** The host's facts. Called for each decision; a throw denies the call, except in shadow mode. Default: none. */
  readonly facts?: (call: DecidedCall) => CallFacts;
  /** Answers that stand. */
  readonly grants?: Pick<StandingGrants, "find">;
  /** Decides nothing and only reports. Default false. */
  readonly shadow?: boolean;
  /** Receives every decision. Errors it throws are ignored. */
  readonly onDecision?: (report: PolicyReport) => void;
  /** The time, Unix time in milliseconds. Default `Date.now`. */
  readonly now?: () => number;
}

/** A policy. Made by {@link createPolicy}. */
export interface Policy {
  /** Decides about every call of a registry: `createToolRegistry({ policy: policy.decide })`. */
  readonly decide: (call: DecidedCall) => CallDecision;
  /**
   * Decides as an approver, where only calls are decided whose tool asks: `dispatch(call, { approve: policy.approver(ask) })`.
   *
   * @param ask Is asked where no rule answers. Default: nobody, so the call is denied.
   */
  approver(ask?: Approver): Approver;
}

/**
 * Creates a policy from rules. `deny` wins over `ask`, `ask` over `allow`, whatever their order, so that a rule which allows
 * never undoes one that denies. The conditions are CEL, by `@marcbachmann/cel-js`.
 *
 * @throws {PolicyError} For a rule that cannot be read, names a tool or field that nobody knows, or is not sound.
 *
 * @example
 * ```ts
 * const policy = createPolicy({
 *   tools: [pay, readFile],
 *   rules: [
 *     { id: "too-much", effect: "deny", tools: ["pay"], when: "args.amount > 1000" },
 *     { id: "led-astray", effect: "ask", tools: ["pay"], when: 'trust == "low"' },
 *     { id: "reading", effect: "allow", when: "annotations.readOnly" },
 *   ],
 *   otherwise: "ask",
 *   facts: ({ context }) => ({ trust: (context as { trust: string }).trust }),
 * });
 * const registry = createToolRegistry({ policy: policy.decide }).register([pay, readFile]);
 * ```
 */
export function createPolicy(options: PolicyOptions): Policy {
  checkOptions("create a policy", options, {
    rules: true,
    tools: true,
    otherwise: true,
    facts: true,
    grants: true,
    shadow: true,
    onDecision: true,
    now: true,
  });
  const { tools, grants, onDecision, shadow = false, otherwise = "tool", now = Date.now } = options;
  if (!["deny", "ask", "tool"].includes(otherwise)) {
    throw new PolicyError(
      `Cannot create a policy: otherwise is ${JSON.stringify(otherwise)}, allowed are deny, ask, tool`,
    );
  }
  const holding = compileRules(checkRules(options.rules), tools);
  const byRules = (call: DecidedCall): CallDecision => {
    const facts = factsOf(call, options.facts?.(call) ?? {}, now());
    const rules = holding(facts);
    const own = decisionOf(rules, otherwise);
    const isOpen = own.decision === "ask" || own.decision === "default";
    const grant = isOpen ? grants?.find({ facts, fingerprint: call.fingerprint }) : undefined;
    const decision: CallDecision = grant === undefined ? own : { decision: "allow", rules: [`grant:${grant.id}`] };
    const { uncertain } = rules;
    if (onDecision !== undefined) callObserver(() => onDecision({ call, decision, isEnforced: !shadow, uncertain }));
    return shadow ? { decision: "default", rules: [] } : decision;
  };
  const decide = shadow ? (call: DecidedCall): CallDecision => orDefault(() => byRules(call)) : byRules;
  return {
    decide,
    approver: (ask) => (request) => {
      const { decision, rules, reason } = decide(callOf(request));
      if (decision === "allow") return true;
      if (decision === "deny") return denied(rules, reason);
      const asking = decision === "ask" ? { ...request, policy: { rules, reason } } : request;
      return ask === undefined ? false : askUntilUnedited(ask, asking, decide);
    },
  };
}

/**
 * No person can agree to parameters that the policy denies. Those about which other rules ask than about the shown ones are
 * asked about again, as another question. Decided are the parameters as they would run.
 */
async function askUntilUnedited(
  ask: Approver,
  first: ApprovalRequest,
  decide: Policy["decide"],
): Promise<ApprovalDecision> {
  const known = new Set(first.policy?.rules);
  const checking = { ...first, ...decidingCheck(first, decide) };
  let request: ApprovalRequest = checking;
  for (let given: JsonValue | undefined; ;) {
    const decision = await ask(request);
    const edited = typeof decision === "object" && decision !== null ? decision.params : undefined;
    if (edited === undefined) return given === undefined ? decision : withParams(decision, given);
    given = jsonSnapshot(edited) ?? null;
    const checked = await first.check?.(given);
    const params = checked?.fits === true ? checked.params : given;
    const { decision: own, rules, reason } = decide(callOf({ ...first, params }));
    if (own === "deny") return denied(rules, reason);
    const isKnown = own !== "ask" || (rules.length > 0 && rules.every((rule) => known.has(rule)));
    if (isKnown || isRefusal(decision)) return decision;
    for (const rule of rules) known.add(rule);
    const digest = sha256(canonicalText([request.digest, given]));
    request = { ...checking, params, defaults: [], digest, callDigest: digest, policy: { rules, reason } };
  }
}

/** The check of a request, which knows this policy, too. */
function decidingCheck(request: ApprovalRequest, decide: Policy["decide"]): Pick<ApprovalRequest, "check"> {
  const { check } = request;
  if (check === undefined) return {};
  return {
    async check(edited) {
      const checked = await check(edited);
      if (!checked.fits) return checked;
      const { decision, rules, reason } = decide(callOf({ ...request, params: checked.params }));
      return decision === "deny" ? { fits: false, reason: deniedBy(rules, reason) } : checked;
    },
  };
}

function isRefusal(decision: ApprovalDecision): boolean {
  return typeof decision !== "object" || decision.approved !== true;
}

/** A yes to edited parameters is a yes to them alone. */
function withParams(decision: ApprovalDecision, params: unknown): ApprovalDecision {
  if (typeof decision !== "object" || decision === null) return decision === true ? { approved: true, params } : false;
  const { defaults: _, ...rest } = decision;
  return { ...rest, params };
}

function denied(rules: readonly string[], reason: string | undefined): ApprovalDecision {
  return { approved: false, reason: deniedBy(rules, reason) };
}

function deniedBy(rules: readonly string[], reason: string | undefined): string {
  return `${reason ?? "a policy denies it"} (${rules.join(", ")})`;
}

/** A policy that only reports denies nothing where it fails, either. */
function orDefault(decide: () => CallDecision): CallDecision {
  try {
    return decide();
  } catch {
    return { decision: "default", rules: [] };
  }
}

function decisionOf({ deny, ask, allow }: HoldingRules, otherwise: "deny" | "ask" | "tool"): CallDecision {
  const [decision, rules] = deny[0]
    ? (["deny", deny] as const)
    : ask[0]
      ? (["ask", ask] as const)
      : (["allow", allow] as const);
  const reason = rules.find((rule) => rule.reason !== undefined)?.reason;
  if (rules.length > 0) return { decision, rules: rules.map(({ id }) => id), ...(reason !== undefined && { reason }) };
  if (otherwise === "tool") return { decision: "default", rules: [] };
  return { decision: otherwise, rules: ["otherwise"], reason: "no rule allows it" };
}

function factsOf(call: DecidedCall, known: CallFacts, now: number): Facts {
  const { name, params, annotations, parents, caller } = call;
  const args = boundedArguments(params);
  return {
    ...known,
    tool: name,
    ...(args !== undefined && { args }),
    annotations: Object.fromEntries(ANNOTATIONS.map((key) => [key, annotations[key] === true])),
    parents: parents.map((parent) => parent.name),
    caller,
    now: new Date(now),
  };
}

function callOf(request: ApprovalRequest): DecidedCall {
  const { callId, name, fingerprint, annotations, parents, params, approvalContext } = request;
  const parent = parents.at(-1);
  const caller = parent === undefined ? "model" : (parent.caller ?? "tool");
  return {
    callId,
    name,
    fingerprint,
    annotations,
    parents,
    caller,
    params: shownParams(params),
    context: approvalContext,
  };
}

function shownParams(params: unknown): DecidedCall["params"] {
  const held = jsonOrReason(params);
  return typeof held === typeof params ? held : undefined;
}

/** Most values in the arguments that conditions are evaluated on: arguments with more cannot be decided. */
const MAX_VALUES = 50_000;

/** Compiles rules. The answer says which of them hold for a call. */
function compileRules(rules: readonly PolicyRule[], tools: Iterable<PolicyTool>): (facts: Facts) => HoldingRules {
  const compile = ruleCompiler(tools);
  const compiled = rules.map((rule) => ({ rule, holds: compile(rule) }));
  const byTool = new Map<string, typeof compiled>();
  const rulesOf = (tool: string): typeof compiled => {
    const found = byTool.get(tool) ?? compiled.filter(({ rule }) => isAbout(rule, tool));
    byTool.set(tool, found);
    return found;
  };
  return (facts) => {
    const holding = { deny: [] as PolicyRule[], ask: [] as PolicyRule[], allow: [] as PolicyRule[] };
    const uncertain: HoldingRules["uncertain"][number][] = [];
    for (const { rule, holds } of rulesOf(facts.tool)) {
      const { effect, id } = rule;
      try {
        if (holds(facts)) holding[effect].push(rule);
      } catch (thrown) {
        uncertain.push({ rule: id, reason: reasonOf(thrown) });
        if (effect !== "allow") holding[effect].push(rule);
      }
    }
    return { ...holding, uncertain };
  };
}

/** The arguments, unless they are so many that asking about them would take long. */
function boundedArguments(params: JsonValue | undefined): JsonValue | undefined {
  let left = MAX_VALUES;
  const count = (value: JsonValue): boolean => {
    if (typeof value !== "object" || value === null) return (left -= 1) >= 0;
    return (Array.isArray(value) ? value : Object.values(value)).every(count);
  };
  return params === undefined || count(params) ? params : undefined;
}

/** Not `error.message`: the engine's quotes the rule on several lines. */
function reasonOf(thrown: unknown): string {
  const { summary, message } = thrown as { readonly summary?: unknown; readonly message?: unknown };
  return [summary, message].find((text) => typeof text === "string") ?? "it failed";
}

import type { CallDecision, DecidedCall } from "@dispatch/tools-interface";
import fc from "fast-check";
import { createPolicy } from "../create-policy.ts";
import type { PolicyRule } from "../policy-rule.ts";
import type { CallFacts } from "../rule-language.ts";

const NAMES = ["pay", "read_file", "fetch_url", "other"] as const;

/** Conditions, of which some fail on some arguments. */
const CONDITIONS = [
  undefined,
  "args.amount > 10",
  "args.amount <= 10",
  'within(args.path, "src")',
  '!within(args.path, "src")',
  'isHost(args.url, "*.a.com")',
  'trust == "low"',
  "annotations.readOnly",
  "has(args.amount) && args.amount > 5",
  "args.list.exists(x, x > 3)",
  "spent.tokens > 100",
  "true",
  "false",
] as const;

const ruleParts = fc.record({
  effect: fc.constantFrom("allow", "ask", "deny"),
  tools: fc.option(fc.subarray(["pay", "read_file", "fetch_url", "other", "*", "read_*"], { minLength: 1 }), {
    nil: undefined,
  }),
  when: fc.constantFrom(...CONDITIONS),
});

/** Rule sets of up to twelve rules. */
export const ruleSets: fc.Arbitrary<readonly PolicyRule[]> = fc
  .array(ruleParts, { maxLength: 12 })
  .map((rules) => rules.map((rule, index) => toRule(rule, `r${index}`)));

/** Calls, sound and odd. */
export const judgedCalls: fc.Arbitrary<DecidedCall> = fc.record({
  callId: fc.constant("1"),
  name: fc.constantFrom(...NAMES),
  fingerprint: fc.constant("f"),
  annotations: fc.record({ readOnly: fc.boolean() }),
  params: fc.option(
    fc.dictionary(
      fc.constantFrom("amount", "path", "url", "list", "__proto__", "constructor"),
      fc.oneof(
        fc.integer({ min: 0, max: 20 }),
        fc.constantFrom("src/a", "../src", "https://b.a.com/", "https://a.com", "SRC/a", "11", ""),
        fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 3 }),
        fc.constant(null),
      ),
    ),
    { nil: undefined },
  ) as fc.Arbitrary<DecidedCall["params"]>,
  parents: fc.constant([]),
  caller: fc.constant("model"),
  context: fc.constantFrom({ trust: "low", spent: { tokens: 200 } }, { trust: "high" }, {}),
});

const extraRules: readonly PolicyRule[] = (["allow", "ask", "deny"] as const).flatMap((effect) =>
  CONDITIONS.map((when, index) => toRule({ effect, tools: undefined, when }, `x${effect}${index}`)),
);
const STRICTNESS = ["default", "allow", "ask", "deny"];

const MODES = ["tool", "ask", "deny"] as const;

/** How the promise is broken for a rule set and a call, by a rule that is added; `undefined` when it holds. */
export function brokenPromise(rules: readonly PolicyRule[], call: DecidedCall): string | undefined {
  const seed = rules.length * 7 + JSON.stringify([rules, call]).length;
  const extra = extraRules[seed % extraRules.length] as PolicyRule;
  const otherwise = MODES[seed % MODES.length] ?? "tool";
  const facts = ({ context }: DecidedCall): CallFacts => context as CallFacts;
  const decide = (all: readonly PolicyRule[]): CallDecision =>
    createPolicy({ rules: all, tools: NAMES, otherwise, facts }).decide(call);
  const before = decide(rules);
  if (decide(rules.toReversed()).decision !== before.decision) return "the order counts";
  const after = decide([...rules, extra]);
  const isWider = STRICTNESS.indexOf(after.decision) < STRICTNESS.indexOf(before.decision);
  const isByRule = before.rules[0] !== "otherwise";
  if (isWider && isByRule) return `adding ${JSON.stringify(extra)} turned ${before.decision} into ${after.decision}`;
  if (isWider && extra.effect === "deny") return "an added denial allows";
  if (after.rules.length === 0 && after.decision !== "default") return "a decision names no rule";
  return undefined;
}

function toRule(
  {
    effect,
    tools,
    when,
  }: { readonly effect: string; readonly tools: readonly string[] | undefined; readonly when: string | undefined },
  id: string,
): PolicyRule {
  return { id, effect: effect as "deny", ...(tools && { tools }), ...(when !== undefined && { when }) };
}

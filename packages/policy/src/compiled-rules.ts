import type { JsonValue } from "@dispatch/tools-interface";
import type { Condition, RuleCompiler } from "./compile-rule.ts";
import { isAbout, type PolicyRule } from "./policy-rule.ts";
import type { Facts } from "./rule-language.ts";

/** The rules that hold for one call, by effect. */
export interface HoldingRules {
  readonly deny: readonly PolicyRule[];
  readonly ask: readonly PolicyRule[];
  readonly allow: readonly PolicyRule[];
  /**
   * Rules whose condition could not be evaluated, with the reason. Of these, `deny` and `ask` hold and `allow` does
   * not.
   */
  readonly uncertain: readonly { readonly rule: string; readonly reason: string }[];
}

interface CompiledRule {
  readonly rule: PolicyRule;
  readonly condition: Condition | undefined;
}

/** Most values in the arguments that conditions are evaluated on: arguments with more cannot be decided. */
const MAX_VALUES = 50_000;

/** Compiles rules. The answer says which of them hold for a call. */
export function compileRules(rules: readonly PolicyRule[], compiler: RuleCompiler): (facts: Facts) => HoldingRules {
  const compiled = rules.map((rule): CompiledRule => ({ rule, condition: compiler.compile(rule) }));
  const byTool = new Map<string, readonly CompiledRule[]>();
  const rulesOf = (tool: string): readonly CompiledRule[] => {
    const found = byTool.get(tool) ?? compiled.filter(({ rule }) => isAbout(rule, tool));
    byTool.set(tool, found);
    return found;
  };
  return (facts) => {
    const holding = { deny: [] as PolicyRule[], ask: [] as PolicyRule[], allow: [] as PolicyRule[] };
    const uncertain: HoldingRules["uncertain"][number][] = [];
    for (const { rule, condition } of rulesOf(facts.tool)) {
      const { effect, id } = rule;
      try {
        if (condition?.holds(facts) ?? true) holding[effect].push(rule);
      } catch (thrown) {
        uncertain.push({ rule: id, reason: reasonOf(thrown) });
        if (effect !== "allow") holding[effect].push(rule);
      }
    }
    return { ...holding, uncertain };
  };
}

/** The arguments, unless they are so many that asking about them would take long. */
export function boundedArguments(params: JsonValue | undefined): JsonValue | undefined {
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

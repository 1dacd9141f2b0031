import { defineTool, type DecidedCall } from "@dispatch/tools-interface";
import fc from "fast-check";
import { z } from "zod";
// @boundaries-ignore figures are printed in one way
// @boundaries-ignore benches measure in one way
import { metric } from "../../tools-interface/bench/measure.ts";
import { brokenPromise, judgedCalls, ruleSets } from "../src/__fixtures__/random-policies.ts";
import { createPolicy, type PolicyRule } from "../src/index.ts";

/** Rule sets of the property; fewer for a look: `POLICY_SETS=1000`. */
const SETS = Number(process.env["POLICY_SETS"] ?? 100_000);

let violations = 0;
fc.assert(
  fc.property(ruleSets, judgedCalls, (rules, call) => {
    const broken = brokenPromise(rules, call);
    if (broken === undefined) return;
    violations += 1;
    console.error(broken, JSON.stringify([rules, call]));
  }),
  { numRuns: SETS },
);
metric("policy.monotone", violations, "violations");
metric("policy.monotone.sets", SETS, "rule_sets");

const tools = Array.from({ length: 20 }, (_, index) =>
  defineTool({
    name: `tool_${index}`,
    description: "Works.",
    parameters: z.object({ path: z.string(), url: z.string(), amount: z.number() }),
    execute: () => "done",
  }),
);
const kinds: readonly Omit<PolicyRule, "id">[] = [
  { effect: "deny", when: 'within(args.path, "secrets")' },
  { effect: "deny", when: 'isHost(args.url, "*.evil.com")' },
  { effect: "ask", when: "args.amount > 100 && trust == 'low'" },
  { effect: "ask", when: "spent.tokens > 100000" },
  { effect: "allow", when: 'annotations.readOnly || within(args.path, "src")' },
];
const params = { path: "src/deep/in/the/tree/file.ts", url: "https://api.example.com/v1/items?q=1", amount: 12.5 };
const facts = (): object => ({ trust: "high", spent: { tokens: 5 }, session: "s", agent: "a" });

for (const count of [10, 100, 1000]) {
  const rules = Array.from({ length: count }, (_, index): PolicyRule => {
    const kind = kinds[index % kinds.length] as PolicyRule;
    // Nine of ten are about one tool, as in policies of many tools; one of ten is about all.
    const about = index % 10 === 0 ? {} : { tools: [`tool_${index % tools.length}`] };
    return { ...kind, id: `r${index}`, ...about };
  });
  const policy = createPolicy({ rules, tools, facts });
  const call = (index: number): DecidedCall => ({
    callId: String(index),
    name: `tool_${index % tools.length}`,
    fingerprint: "f",
    annotations: {},
    params,
    parents: [],
    caller: "model",
    context: {},
  });
  const CALLS = 20_000;
  for (let index = 0; index < 2000; index += 1) policy.decide(call(index));
  const times: number[] = [];
  for (let index = 0; index < CALLS; index += 1) {
    const judged = call(index);
    const start = performance.now();
    policy.decide(judged);
    times.push((performance.now() - start) * 1000);
  }
  times.sort((a, b) => a - b);
  const suffix = count === 100 ? "" : `.rules_${count}`;
  metric(`policy.us${suffix}`, times[CALLS / 2] as number, "us");
  metric(`policy.us_p99${suffix}`, times[CALLS * 0.99] as number, "us");
}

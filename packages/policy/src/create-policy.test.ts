import { createToolRegistry, defineTool, type ApprovalRequest } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { called, deny, pay, tools, decisionOf } from "./__fixtures__/decided-tools.ts";
import { createPolicy, PolicyError, type PolicyReport, type PolicyRule } from "./index.ts";

/** Rules over a tool that needs approval, and the parameters that it ran with. */
function askingToPay(rules: readonly PolicyRule[], amount: z.ZodType<number> = z.number()) {
  const ran: unknown[] = [];
  const asking = defineTool({
    name: "pay",
    description: "Pays.",
    parameters: z.object({ amount }),
    needsApproval: true,
    execute: (params) => void ran.push(params),
  });
  return { ran, policy: createPolicy({ rules, tools: [asking] }), registry: createToolRegistry().register(asking) };
}

describe("createPolicy()", () => {
  const rules: PolicyRule[] = [
    { id: "small", effect: "allow", tools: ["pay"], when: "args.amount <= 10" },
    { id: "any-pay", effect: "ask", tools: ["pay"], when: "args.amount > 5", reason: "money" },
    { id: "huge", effect: "deny", tools: ["pay"], when: "args.amount > 100", reason: "too much" },
    { id: "reading", effect: "allow", when: "annotations.readOnly" },
  ];

  test.each([
    [1, { decision: "allow", rules: ["small"] }],
    [7, { decision: "ask", rules: ["any-pay"], reason: "money" }],
    [200, { decision: "deny", rules: ["huge"], reason: "too much" }],
  ])("lets deny win over ask and ask over allow, and names its rules, for %i", (amount, expected) => {
    const call = called("pay", { amount, to: "a" });
    expect(decisionOf(rules, call)).toEqual(expected);
    expect(decisionOf(rules.toReversed(), call)).toEqual(expected);
  });

  test("answers calls without a rule by the default: as the tool, by asking, by denying", () => {
    const call = called("fetch_url", { url: "https://a.b" });
    expect(decisionOf(rules, call)).toEqual({ decision: "default", rules: [] });
    for (const otherwise of ["ask", "deny"] as const) {
      expect(decisionOf(rules, call, { otherwise })).toEqual({
        decision: otherwise,
        rules: ["otherwise"],
        reason: "no rule allows it",
      });
    }
  });

  test("in shadow mode decides nothing and reports what it would have", () => {
    const reports: PolicyReport[] = [];
    const call = called("pay", { amount: 200, to: "a" });
    const options = {
      shadow: true,
      otherwise: "deny",
      onDecision: (report: PolicyReport) => reports.push(report),
    } as const;
    expect(decisionOf(rules, call, options)).toEqual({ decision: "default", rules: [] });
    expect(reports).toMatchObject([{ isEnforced: false, decision: { decision: "deny", rules: ["huge"] }, call }]);
    const facts = (): never => {
      throw new Error("facts are gone");
    };
    expect(decisionOf(rules, call, { ...options, facts })).toEqual({ decision: "default", rules: [] });
  });

  test("decides for a registry: what is denied does not run, and nested calls are judged", async () => {
    const outer = defineTool({
      name: "outer",
      description: "Calls.",
      parameters: z.object({}),
      execute: (_, run) => run.dispatch?.({ name: "pay", arguments: { amount: 1, to: "x" } }, { caller: "program" }),
    });
    const policy = createPolicy({
      tools: [...tools, outer],
      rules: [{ id: "by-hand", effect: "deny", tools: ["pay"], when: 'caller == "program" && "outer" in parents' }],
    });
    const registry = createToolRegistry({ policy: policy.decide }).register([...tools, outer]);
    expect((await registry.dispatch("pay", { amount: 1, to: "x" })).success).toBe(true);
    expect(String(await registry.dispatch("outer", {}))).toContain("pay was denied by policy (by-hand)");
  });

  test("decides as an approver, and leaves to another what no rule answers", async () => {
    const asking = defineTool({
      ...pay.definition,
      parameters: z.object({ amount: z.number(), to: z.string() }),
      needsApproval: true,
      execute: () => "paid",
    });
    const policy = createPolicy({ rules, tools });
    const registry = createToolRegistry().register(asking);
    const asked: unknown[] = [];
    const approve = policy.approver((request) => asked.push(request.policy) > 0);
    const outcomes: boolean[] = [];
    for (const amount of [1, 7, 200])
      outcomes.push((await registry.dispatch("pay", { amount, to: "a" }, { approve })).success);
    expect(outcomes).toEqual([true, true, false]);
    expect(asked).toEqual([{ rules: ["any-pay"], reason: "money" }]);
    const silent = createPolicy({ rules: [], tools }).approver((request) => asked.push(request.policy) > 0);
    expect((await registry.dispatch("pay", { amount: 7, to: "a" }, { approve: silent })).success).toBe(true);
    expect(asked.at(-1)).toBeUndefined();
  });

  test("as an approver judges the parameters that a person edited", async () => {
    const { policy, registry, ran } = askingToPay(deny("args.amount > 100", "pay"));
    for (const amount of [101, "5", null]) {
      const approve = policy.approver(async () => ({ approved: true, params: { amount } }));
      expect(await registry.dispatch("pay", { amount: 5 }, { approve })).toMatchObject({ code: "denied" });
    }
    const approve = policy.approver(() => ({ approved: true, params: { amount: 100 } }));
    expect((await registry.dispatch("pay", { amount: 5 }, { approve })).success).toBe(true);
    expect(ran).toEqual([{ amount: 100 }]);
  });

  test.each<[string, z.ZodType<number>, object, number | undefined]>([
    ["a default", z.number().default(500), {}, undefined],
    [
      "a conversion",
      z.preprocess((given) => (given === "all" ? 500 : given), z.number()),
      { amount: "all" },
      undefined,
    ],
    ["a transform", z.preprocess((given) => Number(given) * 100, z.number()), { amount: 5 }, undefined],
    ["a default that fits", z.number().default(7), {}, 7],
  ])("as an approver judges what %s of the schema makes of edited parameters", async (_what, amount, params, runs) => {
    const { policy, registry, ran } = askingToPay(deny("args.amount > 100", "pay"), amount);
    const checked: unknown[] = [];
    const approve = policy.approver(async ({ check }) => {
      checked.push(await check?.(params));
      return { approved: true, params };
    });
    const result = await registry.dispatch("pay", { amount: 1 }, { approve });
    expect(checked).toMatchObject([
      runs === undefined ? { fits: false, reason: expect.stringContaining("a policy denies it") } : { fits: true },
    ]);
    expect([result.success, ran]).toEqual([runs !== undefined, runs === undefined ? [] : [{ amount: runs }]]);
  });

  test("as an approver asks about edited parameters again that another rule asks about", async () => {
    const large: PolicyRule = { id: "large", effect: "ask", when: "args.amount > 100" };
    const { policy, registry, ran } = askingToPay([large]);
    const asked: ApprovalRequest[] = [];
    const answers = [
      { approved: true, params: { amount: 500 } },
      false,
      { approved: true, params: { amount: 500 } },
      true,
    ];
    const approve = policy.approver((request) => answers[asked.push(request) - 1] ?? false);
    expect(await registry.dispatch("pay", { amount: 5 }, { approve })).toMatchObject({ code: "denied" });
    expect(asked.map(({ params, policy: why }) => [params, why?.rules])).toEqual([
      [{ amount: 5 }, undefined],
      [{ amount: 500 }, ["large"]],
    ]);
    expect(asked[0]?.digest).not.toBe(asked[1]?.digest);
    expect(await registry.dispatch("pay", { amount: 5 }, { approve })).toMatchObject({ success: true });
    expect(ran).toEqual([{ amount: 500 }]);
  });

  test("reads trust, budget, session and time, and decides strictly where the host does not say them", () => {
    const facts = () => ({ trust: "low", spent: { tokens: 900 }, session: "s" });
    const now = () => Date.parse("2026-03-01T23:30:00Z");
    const call = called("pay", { amount: 1, to: "a" });
    for (const when of [
      'trust == "low"',
      "spent.tokens >= 900",
      'session == "s"',
      'now.getHours("Europe/Berlin") == 0',
      "now.getHours() == 23",
    ]) {
      expect(decisionOf(deny(when), call, { facts, now })).toMatchObject({ decision: "deny" });
      expect(decisionOf(deny(`!(${when})`), call, { facts, now })).toMatchObject({ decision: "default" });
    }
    for (const when of ['trust == "high"', "spent.tokens > 900", "spent.money > 1", 'agent == "x"']) {
      expect(decisionOf(deny(when), call)).toMatchObject({ decision: "deny" });
      expect(decisionOf([{ id: "y", effect: "allow", when }], call)).toMatchObject({ decision: "default" });
    }
    const failing = createPolicy({ rules: [], tools, facts: () => JSON.parse("{") });
    expect(() => failing.decide(call)).toThrow(SyntaxError);
  });
});

describe("rules that are not sound", () => {
  test.each<[string, unknown]>([
    ["there is no tool", { tools: ["pya"] }],
    ["there is no tool", { tools: ["write_*"] }],
    ["No such key: amuont", { tools: ["pay"], when: "args.amuont > 1" }],
    ["No such key: amuont", { tools: ["pay"], when: "has(args.amuont)" }],
    ["No such key: nope", { when: "has(args.nope) && args.nope == 1" }],
    ["No such key", { tools: ["pay"], when: 'args["amuont"] == 1' }],
    ["Unknown variable", { when: "amount > 1" }],
    ["no annotation readonly", { when: "annotations.readonly" }],
    ["no such overload", { tools: ["pay"], when: "args.to > 1" }],
    ["no such overload", { tools: ["pay"], when: 'args.amount == "100"' }],
    ["allowed is bool", { tools: ["pay"], when: "args.amount" }],
    ["regular expressions", { tools: ["pay"], when: 'args.to.matches("(a+)+$")' }],
    ["inside of another", { tools: ["fetch_url"], when: "args.headers.exists(a, args.headers.exists(b, a == b))" }],
    ["uses size inside", { tools: ["fetch_url"], when: "args.headers.all(x, size(args.url) > 5)" }],
    ["uses contains inside", { tools: ["fetch_url"], when: "args.headers.exists(x, args.url.contains(x))" }],
    ["uses contains inside", { tools: ["fetch_url"], when: "args.headers.exists(x, !(x + x + args.url).contains(x))" }],
    ["uses + inside", { tools: ["fetch_url"], when: "args.headers.exists(x, x + args.url == x)" }],
    ["uses in inside", { tools: ["fetch_url"], when: "args.headers.exists(x, x in args.headers)" }],
    ["uses split inside", { tools: ["fetch_url"], when: 'args.headers.exists(x, args.url.split(",") == [])' }],
    ["time zone", { when: 'now.getHours("Mars/Base") > 1' }],
    ["time zone", { when: "now.getHours(session) > 1" }],
    ["4000", { when: `"${"a".repeat(4000)}" == session` }],
    ['the field "efect"', { efect: "deny" }],
    ['the field "__proto__"', JSON.parse('{"__proto__":{"effect":"allow"}}')],
    ["the effect", { effect: "permit" }],
    ["unusable tools", { tools: [] }],
    ["unusable tools", { tools: ["a**"] }],
    ["no usable id", { id: "" }],
    ["CEL", { when: 7 }],
    ["", { when: "args.amount >" }],
    ["", { when: "" }],
  ])("are an error: %s", (message, change) => {
    const rule = { id: "r", effect: "deny", ...(change as object) } as PolicyRule;
    expect(() => createPolicy({ rules: [rule], tools })).toThrow(PolicyError);
    expect(() => createPolicy({ rules: [rule], tools })).toThrow(message);
  });

  test("are an error: two of one id, no list, and a mode that does not exist", () => {
    const rule: PolicyRule = { id: "r", effect: "deny" };
    expect(() => createPolicy({ rules: [rule, rule], tools })).toThrow("two rules have the id r");
    expect(() => createPolicy({ rules: "r" as never, tools })).toThrow(PolicyError);
    expect(() => createPolicy({ rules: [], tools, otherwise: "allow" as never })).toThrow(PolicyError);
  });

  test("are none: about tools that come later, and about all tools where one has the field", () => {
    const later = [...tools, "github_issue"];
    const rules = [
      { id: "a", effect: "deny", tools: ["github_*"], when: "args.anything == 1" },
      { id: "b", effect: "deny", when: 'has(args.path) && within(args.path, "secrets")' },
      { id: "c", effect: "ask", tools: ["read_file"], when: "args.ranges.exists(r, r.from > 3)" },
      {
        id: "d",
        effect: "ask",
        tools: ["fetch_url"],
        when: 'args.headers.exists(x, x.contains("a") && x.startsWith(args.url) && size(x) > 3 && x in [session])',
      },
    ] as const;
    const policy = createPolicy({ rules, tools: later });
    expect(policy.decide(called("github_issue", { anything: 1 }))).toMatchObject({ rules: ["a"] });
    expect(policy.decide(called("read_file", { path: "secrets/key" }))).toMatchObject({
      rules: ["b", "c"].slice(0, 1),
    });
    expect(policy.decide(called("pay", { amount: 1, to: "a" }))).toMatchObject({ decision: "default" });
  });
});

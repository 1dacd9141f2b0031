import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createToolRegistry,
  defineTool,
  type ApprovalRequest,
  type Approver,
  type CallPolicy,
  type CallDecision,
  type DecidedCall,
} from "../index.ts";
import { bothPolicies } from "./call-policy.ts";

function paying(
  policy: CallPolicy | undefined,
  given: { readonly needsApproval?: boolean | ((params: { amount: number }) => boolean) } = {},
) {
  const paid: unknown[] = [];
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    parameters: z.object({ amount: z.number(), to: z.string().default("anna") }),
    ...given,
    execute: (params) => {
      paid.push(params);
      return `paid ${params.amount}`;
    },
  });
  return { registry: createToolRegistry(policy && { policy }).register(pay), paid, pay };
}

const always =
  (decision: CallDecision["decision"]): CallPolicy =>
  () => ({ decision, rules: ["r1"], reason: "because" });

describe("policy of a registry", () => {
  test("denies even with an approval, names its rules, and asks nobody", async () => {
    const { registry, paid } = paying(always("deny"), { needsApproval: true });
    let asked = 0;
    const result = await registry.dispatch("pay", { amount: 1 }, { approve: () => (asked += 1) > 0 });
    expect(result).toMatchObject({ success: false, code: "denied", effects: "none" });
    expect(result).toMatchObject({ metadata: { policy: { decision: "deny", rules: ["r1"] } } });
    expect(String(result)).toBe("pay was denied by policy (r1): because. Nobody can allow this call; do not repeat it");
    expect([asked, paid]).toEqual([0, []]);
  });

  test.each([{ deny: true }, { approved: false }, { Decision: "deny" }])(
    "denies by a decision with a field that it does not know: %j",
    async (more) => {
      const { registry, paid } = paying(() => ({ decision: "allow", rules: [], ...more }));
      const [unknown] = Object.keys(more);
      expect(String(await registry.dispatch("pay", { amount: 1 }))).toContain(
        `the policy's decision has a field "${unknown}", which is unknown`,
      );
      expect(paid).toEqual([]);
    },
  );

  test("asks where the tool needs no approval, and shows why; allows where it needs one; leaves the rest to the tool", async () => {
    const asking = paying(always("ask"));
    expect(await asking.registry.dispatch("pay", { amount: 1 })).toMatchObject({ code: "denied" });
    const reasons: unknown[] = [];
    const yes = await asking.registry.dispatch("pay", { amount: 1 }, { approve: (r) => reasons.push(r.policy) > 0 });
    expect(yes.success).toBe(true);
    expect(reasons).toEqual([{ rules: ["r1"], reason: "because" }]);
    const allowed = paying(always("allow"), { needsApproval: true });
    expect((await allowed.registry.dispatch("pay", { amount: 1 })).success).toBe(true);
    const own = paying(always("default"), { needsApproval: true });
    expect(await own.registry.dispatch("pay", { amount: 1 })).toMatchObject({ code: "denied" });
  });

  test.each([
    ["throws", () => void JSON.parse("{")],
    ["rejects", () => Promise.reject(new Error("no"))],
    ["answers nothing", () => undefined],
    ["answers a boolean", () => true],
    ["answers another word", () => ({ decision: "yes", rules: [] })],
    ["answers without rules", () => ({ decision: "allow" })],
  ])("denies when the policy %s", async (_, policy) => {
    const { registry, paid } = paying(policy as never);
    expect(await registry.dispatch("pay", { amount: 1 })).toMatchObject({ code: "denied" });
    expect(paid).toEqual([]);
  });

  test("runs the tool with what was judged, whatever a getter or a proxy answers later", async () => {
    const seen: unknown[] = [];
    const ran: unknown[] = [];
    const tool = defineTool({
      name: "pay",
      description: "Pays.",
      parameters: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] } as const,
      execute: (params) => (ran.push(params), "ok"),
    });
    const policy = ({ params }: DecidedCall): CallDecision => {
      seen.push(params);
      return { decision: "allow", rules: [] };
    };
    const registry = createToolRegistry({ policy }).register(tool);
    let reads = 0;
    const withGetter = Object.defineProperty({}, "amount", { enumerable: true, get: () => (reads += 1) });
    const changing = new Proxy({ amount: 0 }, { get: (_, key) => (key === "amount" ? (reads += 1) : undefined) });
    for (const params of [withGetter, changing]) await registry.dispatch("pay", params as never);
    expect(seen).toHaveLength(2);
    expect(ran).toEqual(seen);
  });

  test("decides about calls of a nested registry too, and takes the stricter decision of both", async () => {
    const inner = paying(always("allow"));
    const outer = defineTool({
      name: "outer",
      description: "Calls.",
      parameters: z.object({}),
      execute: (_, run) => run.dispatch?.({ name: "pay", arguments: { amount: 1 } }, { registry: inner.registry }),
    });
    const policy: CallPolicy = ({ name }) => ({ decision: name === "pay" ? "deny" : "allow", rules: ["outer"] });
    const registry = createToolRegistry({ policy }).register(outer);
    expect(await registry.dispatch("outer", {})).toMatchObject({ code: "denied" });
    expect(inner.paid).toEqual([]);
  });
});

test.each([
  ["allow", "default"],
  ["default", "allow"],
] as const)("bothPolicies() of %s and %s leaves the decision to the tool's own rule", async (one, other) => {
  const both = await bothPolicies(always(one), always(other))?.({} as never);
  expect(both?.decision).toBe("default");
});

describe("edited parameters of an approval", () => {
  const needsApproval = true;

  test("run instead of those that were sent, and are reported to model and host", async () => {
    const { registry, paid } = paying(undefined, { needsApproval });
    const result = await registry.dispatch(
      "pay",
      { amount: 500 },
      { approve: () => ({ approved: true, params: { amount: 50 } }) },
    );
    expect(paid).toEqual([{ amount: 50, to: "anna" }]);
    expect(result.repairs).toEqual([
      { path: ["amount"], kind: "edited", message: '"amount" was edited from 500 to 50' },
    ]);
    expect(String(result)).toContain('"amount" was edited from 500 to 50');
    expect(result.metadata).toEqual({ editedParams: { amount: 50, to: "anna" } });
  });

  test.each([[{ amount: "much" }], [{ amount: 1, extra: 2 }], ["text"], [null], [{ amount: Number.NaN }]])(
    "%j does not run",
    async (params) => {
      const { registry, paid } = paying(undefined, { needsApproval });
      const result = await registry.dispatch("pay", { amount: 5 }, { approve: () => ({ approved: true, params }) });
      expect(result).toMatchObject({ code: "denied" });
      expect(paid).toEqual([]);
    },
  );

  test("are checked before they are an answer, by schema and policy, and nothing runs or is asked", async () => {
    const policy: CallPolicy = ({ params }) => {
      const { amount } = params as { amount: number };
      return { decision: amount > 100 ? "deny" : "ask", rules: ["r1"] };
    };
    const { registry, paid } = paying(policy);
    const checked: unknown[] = [];
    let asked = 0;
    const approve: Approver = async ({ check }) => {
      asked += 1;
      const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`) as unknown;
      const cyclic: { amount: number; self?: unknown } = { amount: 1 };
      cyclic.self = cyclic;
      for (const edited of [
        { amount: 2 },
        { amount: 500 },
        { amount: "much" },
        { amount: 1, x: 1 },
        null,
        deep,
        cyclic,
      ])
        checked.push(await check?.(edited));
      return false;
    };
    expect(await registry.dispatch("pay", { amount: 1 }, { approve })).toMatchObject({ code: "denied" });
    const refused = (reason: string) => ({ fits: false, reason: expect.stringContaining(reason) });
    expect(checked).toEqual([
      { fits: true, params: { amount: 2, to: "anna" } },
      refused("denied by policy (r1)"),
      ...Array.from({ length: 3 }, () => refused("do not fit it")),
      refused(""),
      refused(""),
    ]);
    expect([asked, paid]).toEqual([1, []]);
  });

  test("cannot get past the policy, and a refusal with parameters stays one", async () => {
    const policy: CallPolicy = ({ params }) =>
      (params as { amount: number }).amount > 100
        ? { decision: "deny", rules: ["max"] }
        : { decision: "ask", rules: [] };
    const { registry, paid } = paying(policy);
    const edit = { approve: () => ({ approved: true, params: { amount: 500 } }) };
    expect(await registry.dispatch("pay", { amount: 5 }, edit)).toMatchObject({ code: "denied" });
    const no = { approve: () => ({ approved: false, params: { amount: 1 } }) };
    expect(await registry.dispatch("pay", { amount: 5 }, no)).toMatchObject({ code: "denied" });
    expect(paid).toEqual([]);
  });

  describe("that make the call more dangerous", () => {
    const limits: CallPolicy = ({ params }) => {
      const { amount, to } = params as { amount: number; to: string };
      const rules = [...(amount > 100 ? ["large"] : []), ...(to === "mallory" ? ["stranger"] : [])];
      return rules.length > 0 ? { decision: "ask", rules, reason: rules.join() } : { decision: "default", rules: [] };
    };

    test("are asked about again where a rule asks that had not asked before, with that rule", async () => {
      const { registry, paid } = paying(limits, { needsApproval: true });
      const asked: ApprovalRequest[] = [];
      const answers = [{ amount: 500 }, { amount: 600, to: "mallory" }, undefined];
      const approve: Approver = (request) => ({ approved: true, params: answers[asked.push(request) - 1] });
      const result = await registry.dispatch("pay", { amount: 5 }, { approve });
      expect(asked.map(({ params, policy }) => [params, policy?.rules])).toEqual([
        [{ amount: 5, to: "anna" }, undefined],
        [{ amount: 500, to: "anna" }, ["large"]],
        [{ amount: 600, to: "mallory" }, ["large", "stranger"]],
      ]);
      expect(asked[1]?.repairs).toMatchObject([{ kind: "edited", path: ["amount"] }]);
      expect(new Set(asked.map(({ digest }) => digest)).size).toBe(3);
      expect(paid).toEqual([{ amount: 600, to: "mallory" }]);
      expect(String(result)).toContain('"amount" was edited from 5 to 600; "to" was edited from "anna" to "mallory"');
    });

    test("do not run when the second answer is a no, and are asked about once under the same rule", async () => {
      const { registry, paid } = paying(limits, { needsApproval: true });
      let count = 0;
      const once: Approver = () => (count += 1) === 1 && { approved: true, params: { amount: 500 } };
      expect(await registry.dispatch("pay", { amount: 5 }, { approve: once })).toMatchObject({ code: "denied" });
      expect([count, paid]).toEqual([2, []]);
      const more: Approver = () => ((count += 1), { approved: true, params: { amount: 900 } });
      expect(await registry.dispatch("pay", { amount: 500 }, { approve: more })).toMatchObject({ success: true });
      expect([count, paid]).toEqual([3, [{ amount: 900, to: "anna" }]]);
    });

    test("are asked about again where the tool's own rule asks that had not asked before", async () => {
      const judged: number[] = [];
      const asking = ({ amount }: { amount: number }) => (judged.push(amount), amount > 100);
      const { registry, paid } = paying(always("ask"), { needsApproval: asking });
      let count = 0;
      const approve: Approver = () => ((count += 1), { approved: true, params: { amount: 500 } });
      expect(await registry.dispatch("pay", { amount: 5 }, { approve })).toMatchObject({ success: true });
      // A tool's own rule sees what will run: it may note what was agreed to.
      expect([count, judged.at(-1), paid]).toEqual([2, 500, [{ amount: 500, to: "anna" }]]);
    });
  });

  test("are not mistaken for a prototype", async () => {
    const { registry, paid } = paying(undefined, { needsApproval: true });
    for (const text of ['{"amount":1,"__proto__":{"to":"mallory"}}', '{"amount":1,"constructor":{"prototype":{}}}']) {
      const params: unknown = JSON.parse(text);
      const result = await registry.dispatch("pay", { amount: 5 }, { approve: () => ({ approved: true, params }) });
      expect(result).toMatchObject({ code: "denied" });
    }
    expect(paid).toEqual([]);
    expect(Object.prototype).not.toHaveProperty("to");
  });
});

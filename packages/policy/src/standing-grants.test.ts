import { createToolRegistry, defineTool, type AnyTool } from "@dispatch/tools-interface";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createPolicy,
  createStandingGrants,
  PolicyError,
  type GrantTerms,
  type PolicyRule,
  type StandingGrants,
} from "./index.ts";

function tool(description = "Writes."): AnyTool {
  return defineTool({
    name: "write",
    description,
    parameters: z.object({ path: z.string() }),
    execute: () => "written",
  });
}
const write = tool();
const rules: PolicyRule[] = [
  { id: "asks", effect: "ask", tools: ["write"] },
  { id: "never", effect: "deny", tools: ["write"], when: 'within(args.path, "secrets")' },
];
const terms: GrantTerms = { tool: write, session: "s", agent: "*", by: "Ada", expiresInMs: 1000 };

async function runs(
  grants: StandingGrants,
  path: string,
  who: { session?: string; agent?: string } = { session: "s" },
  given = write,
) {
  const policy = createPolicy({ rules, tools: [given], grants, facts: () => who });
  const registry = createToolRegistry({ policy: policy.decide }).register(given);
  return (await registry.dispatch("write", { path })).success;
}

describe("createStandingGrants()", () => {
  test("answers questions that come, for its session and arguments, until it ends or is revoked", async () => {
    let now = 1000;
    const grants = createStandingGrants({ now: () => now });
    expect(await runs(grants, "src/a")).toBe(false);
    const grant = grants.give({ ...terms, when: 'within(args.path, "src")' });
    expect(await runs(grants, "src/a")).toBe(true);
    expect(await runs(grants, "lib/a")).toBe(false);
    expect(await runs(grants, "src/../lib")).toBe(false);
    expect(await runs(grants, "src/a", { session: "other" })).toBe(false);
    expect(await runs(grants, "src/a", {})).toBe(false);
    expect(grants.list()).toEqual([grant]);
    expect([grants.revoke(grant.id), grants.revoke(grant.id)]).toEqual([true, false]);
    expect(await runs(grants, "src/a")).toBe(false);
    grants.give(terms);
    expect(await runs(grants, "src/a")).toBe(true);
    now += 1000;
    expect(await runs(grants, "src/a")).toBe(false);
    expect(grants.list()).toEqual([]);
  });

  test("never overrules a denial, an unknown agent, or a tool that has changed since", async () => {
    const grants = createStandingGrants();
    grants.give({ ...terms, agent: "worker" });
    expect(await runs(grants, "src", { session: "s" })).toBe(false);
    expect(await runs(grants, "src", { session: "s", agent: "worker" })).toBe(true);
    expect(await runs(grants, "secrets/a", { session: "s", agent: "worker" })).toBe(false);
    expect(await runs(grants, "src", { session: "s", agent: "worker" }, tool("Writes, and more."))).toBe(false);
  });

  test("is kept and restored as data, and says that it decided", async () => {
    let saved = "";
    const first = createStandingGrants({ onChange: (all) => (saved = JSON.stringify(all)) });
    const { id } = first.give({ ...terms, expiresInMs: 60_000, when: 'args.path == "a"' });
    const grants = createStandingGrants({ kept: JSON.parse(saved), tools: [write] });
    const decided: unknown[] = [];
    const options = { rules, tools: [write], grants, facts: () => ({ session: "s" }) };
    const policy = createPolicy({ ...options, onDecision: ({ decision }) => decided.push(decision) });
    await createToolRegistry({ policy: policy.decide }).register(write).dispatch("write", { path: "a" });
    expect(decided).toEqual([{ decision: "allow", rules: [`grant:${id}`] }]);
    grants.revoke(id);
    expect(createStandingGrants({ kept: grants.list() }).list()).toEqual([]);
  });

  test("does not allow what is denied because no rule allows it", async () => {
    const grants = createStandingGrants();
    grants.give(terms);
    const policy = createPolicy({
      rules: [],
      tools: [write],
      grants,
      otherwise: "deny",
      facts: () => ({ session: "s" }),
    });
    const registry = createToolRegistry({ policy: policy.decide }).register(write);
    expect(await registry.dispatch("write", { path: "a" })).toMatchObject({ code: "denied" });
  });

  test.each<[Partial<GrantTerms>]>([
    [{ session: "" }],
    [{ session: undefined as never }],
    [{ agent: undefined as never }],
    [{ by: "" }],
    [{ expiresInMs: 0 }],
    [{ expiresInMs: Number.NaN }],
    [{ expiresInMs: Number.POSITIVE_INFINITY }],
    [{ when: "args.pth == 1" }],
    [{ when: "" }],
  ])("refuses %j", (change) => {
    const grants = createStandingGrants();
    expect(() => grants.give({ ...terms, ...change })).toThrow(PolicyError);
    expect(grants.list()).toEqual([]);
  });

  test("refuses kept grants that cannot be read", () => {
    for (const kept of [{}, { ...terms, id: "1" }, null]) {
      expect(() => createStandingGrants({ kept: [kept as never] })).toThrow(PolicyError);
    }
  });
});

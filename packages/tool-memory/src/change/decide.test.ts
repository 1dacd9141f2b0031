import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type MemoryBlock,
  DEFAULT_PERMISSIONS,
  PERMISSIONS,
  type Permission,
  SOURCES,
  TRUST_LEVELS,
  TIERS,
} from "../block/memory-block.ts";
import { toLimits } from "../block/memory-limits.ts";
import type { Policy } from "./apply-change.ts";
import { type Proposal, type WriteProposal, decide, type Decision } from "./decide.ts";

const policy: Policy = {
  permissions: DEFAULT_PERMISSIONS,
  coreTrust: "medium",
  retention: {},
  limits: toLimits({ contentChars: 20 }),
};
const at = "2026-01-01T00:00:00.000Z";

function block(permission: Permission, content = "old"): MemoryBlock {
  const state = { label: "notes", tier: "working", permission, source: "agent", trust: "medium" } as const;
  return { id: "1", ...state, content, version: 3, createdAt: at, updatedAt: at };
}

const write = { op: "write", label: "notes", content: "new", source: "agent" } as const;

/** A decision with its change spread out. */
function flat(decision: Decision): object {
  if (decision.outcome !== "apply") return decision;
  const { kind, is, splice } = decision.change;
  return { outcome: kind, ...is, ...splice };
}

const agent = (found: MemoryBlock | null, proposal: Partial<WriteProposal>) =>
  flat(decide(found, { ...write, ...proposal }, "agent", policy));
const person = (found: MemoryBlock | null, proposal: Partial<WriteProposal>) =>
  flat(decide(found, { ...write, source: "person", ...proposal }, "person", policy));

test("decide() follows the permission of a block", () => {
  expect(agent(block("readonly"), {})).toMatchObject({ outcome: "refused", code: "readonly" });
  expect(agent(block("familiar"), {})).toMatchObject({ outcome: "queue", content: "new" });
  expect(agent(block("append"), {})).toMatchObject({ outcome: "edited", offset: 3, before: "", after: "\nnew" });
  expect(agent(block("readwrite"), {})).toMatchObject({ outcome: "edited", offset: 0, before: "old", after: "new" });
});

test("decide() follows the tier when there is no block", () => {
  expect(agent(null, {})).toMatchObject({ outcome: "created", tier: "working", permission: "readwrite", after: "new" });
  expect(agent(null, { tier: "core" })).toMatchObject({ outcome: "queue", op: "write", tier: "core", content: "new" });
  expect(agent(null, { tier: "archival" })).toMatchObject({ outcome: "created", permission: "append" });
});

test("decide() refuses another tier than the block's", () => {
  expect(agent(block("readwrite"), { tier: "core" })).toMatchObject({ outcome: "refused", code: "tier_mismatch" });
  expect(agent(block("readwrite"), { tier: "working" })).toMatchObject({ outcome: "edited" });
});

test("decide() keeps a block that says so already", () => {
  expect(agent(block("readwrite"), { content: "old" })).toEqual({ outcome: "keep" });
  expect(agent(block("familiar"), { content: "old" })).toEqual({ outcome: "keep" });
});

test("decide() answers a conflict when the version is not the expected one", () => {
  expect(agent(block("readwrite"), { expectVersion: 2 })).toMatchObject({ outcome: "conflict" });
  expect(agent(null, { expectVersion: 3 })).toMatchObject({ outcome: "conflict" });
  expect(agent(block("readwrite"), { expectVersion: 0 })).toMatchObject({ outcome: "conflict" });
  expect(agent(block("readwrite"), { expectVersion: 3 })).toMatchObject({ outcome: "edited" });
});

test("decide() names the sizes when a text is too large", () => {
  const large = agent(null, { content: "x".repeat(21) });
  expect(large).toMatchObject({
    outcome: "refused",
    code: "too_large",
    reason: expect.stringContaining("21 characters, allowed are 20"),
  });
  const full = agent(block("append", "x".repeat(15)), { content: "y".repeat(5) });
  expect(full).toMatchObject({
    code: "too_large",
    reason: expect.stringContaining("has 15 characters and would have 21, allowed are 20"),
  });
  expect(agent(block("append", "x".repeat(15)), { content: "y".repeat(4) })).toMatchObject({ outcome: "edited" });
});

test.each(["", "  \n", "a\0b", "\ud800", "\udc00a"])("decide() refuses the content %j", (content) => {
  expect(agent(block("readwrite"), { content })).toMatchObject({ outcome: "refused" });
});

test.each([
  { tier: "secret" },
  { expectVersion: -1 },
  { expectVersion: 1.5 },
  { expectVersion: Number.NaN },
] as object[])("decide() refuses the value %j", (wrong) => {
  expect(agent(null, wrong)).toMatchObject({ outcome: "refused", code: "invalid_value" });
});

const maybe = <Value>(values: readonly Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const text = fc.string({ maxLength: 25 });
const shared = { label: fc.constant("notes"), source: fc.constantFrom(...SOURCES), expectVersion: maybe([0, 3, 5]) };
const proposals: fc.Arbitrary<Proposal> = fc.oneof(
  fc.record({ op: fc.constant("write" as const), ...shared, content: text, tier: maybe(TIERS) }),
  fc.record({ op: fc.constant("edit" as const), ...shared, offset: fc.nat(30), before: text, after: text }),
  fc.record({ op: fc.constant("move" as const), ...shared, newLabel: maybe(["other"]), tier: maybe(TIERS) }),
  fc.record({ op: fc.constant("remove" as const), ...shared }),
);

test("decide() never lets the agent change what is not its own, nor bring into core what may not be believed", () => {
  const states = fc.record({
    permission: fc.constantFrom(...PERMISSIONS),
    tier: fc.constantFrom(...TIERS),
    source: fc.constantFrom(...SOURCES),
    trust: fc.constantFrom(...TRUST_LEVELS),
  });
  const open = { ...policy, permissions: { ...DEFAULT_PERMISSIONS, core: "readwrite" } } as const;
  fc.assert(
    fc.property(fc.option(states), text, proposals, fc.constantFrom(policy, open), (state, content, asked, rules) => {
      const found = state && { ...block(state.permission, content), ...state };
      const decision = decide(found, asked, "agent", rules);
      if (decision.outcome !== "apply") return;
      const { is, splice } = decision.change;
      expect(["readonly", "familiar"]).not.toContain(found?.permission);
      if (found?.permission === "append") expect(splice).toMatchObject({ offset: content.length, before: "" });
      if (is === null) return;
      if (found === null || is.tier !== found.tier)
        expect(["readonly", "familiar"]).not.toContain(rules.permissions[is.tier]);
      if (is.tier === "core") expect(is.trust).not.toBe("low");
      if (found !== null) {
        expect(TRUST_LEVELS.indexOf(is.trust)).toBeLessThanOrEqual(TRUST_LEVELS.indexOf(found.trust));
        expect(SOURCES.indexOf(is.source)).toBeGreaterThanOrEqual(SOURCES.indexOf(found.source));
        expect(PERMISSIONS.indexOf(is.permission)).toBeLessThanOrEqual(PERMISSIONS.indexOf(found.permission));
      }
    }),
    { numRuns: 5_000 },
  );
});

test("decide() lets a person write whatever the permission, but not move a block or change its permission by writing", () => {
  for (const permission of PERMISSIONS) {
    expect(person(block(permission), {})).toMatchObject({ outcome: "edited", after: "new", trust: "high" });
  }
  expect(person(null, { tier: "core", permission: "readonly" })).toMatchObject({
    outcome: "created",
    permission: "readonly",
  });
  expect(person(block("familiar"), { permission: "readwrite" })).toMatchObject({ outcome: "refused" });
});

test("decide() takes a person's writing of the same text as vouching for it", () => {
  const doubted = { ...block("append"), source: "web", trust: "low" } as const;
  expect(person(doubted, { content: "old" })).toMatchObject({ outcome: "edited", source: "person", trust: "high" });
  expect(person({ ...doubted, trust: "high" }, { content: "old" })).toEqual({ outcome: "keep" });
});

test("decide() gives a moved block no more freedom than a new one has there", () => {
  const move = (tier: "core" | "archival", rules = policy) =>
    flat(decide(block("readwrite"), { op: "move", label: "notes", tier, source: "agent" }, "agent", rules));
  expect(move("archival")).toMatchObject({ outcome: "moved", permission: "append" });
  expect(move("core")).toMatchObject({ outcome: "queue", op: "move", tier: "core" });
  const open = { ...policy, permissions: { ...DEFAULT_PERMISSIONS, core: "append" } } as const;
  expect(move("core", open)).toMatchObject({ outcome: "moved", permission: "append" });
});

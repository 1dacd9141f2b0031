import fc from "fast-check";
import { expect, test } from "vitest";
import { decide, type Policy, type Proposal } from "./decide.ts";
import type { MemoryBlock } from "./memory-block.ts";
import { DEFAULT_LIMITS } from "./memory-limits.ts";
import { DEFAULT_PERMISSIONS, PERMISSIONS, type Permission } from "./permission.ts";
import { TIERS } from "./tier.ts";

const policy: Policy = { permissions: DEFAULT_PERMISSIONS, limits: { ...DEFAULT_LIMITS, contentCharacters: 20 } };
const at = "2026-01-01T00:00:00.000Z";

function block(permission: Permission, content = "old"): MemoryBlock {
  return { id: "1", label: "notes", tier: "working", permission, content, version: 3, createdAt: at, updatedAt: at };
}

const agent = (found: MemoryBlock | null, proposal: Partial<Proposal>) =>
  decide(found, { label: "notes", content: "new", ...proposal }, "agent", policy);

test("decide() follows the permission of a block", () => {
  expect(agent(block("readonly"), {})).toMatchObject({ outcome: "refused", code: "readonly" });
  expect(agent(block("familiar"), {})).toMatchObject({ outcome: "queue", content: "new" });
  expect(agent(block("append"), {})).toEqual({ outcome: "edit", offset: 3, before: "", after: "\nnew" });
  expect(agent(block("readwrite"), {})).toEqual({ outcome: "edit", offset: 0, before: "old", after: "new" });
});

test("decide() follows the tier when there is no block", () => {
  expect(agent(null, {})).toEqual({ outcome: "create", tier: "working", permission: "readwrite", content: "new" });
  expect(agent(null, { tier: "core" })).toEqual({ outcome: "queue", tier: "core", content: "new" });
  expect(agent(null, { tier: "archival" })).toMatchObject({ outcome: "create", permission: "append" });
});

test("decide() refuses another tier than the block's", () => {
  expect(agent(block("readwrite"), { tier: "core" })).toMatchObject({ outcome: "refused", code: "tier_mismatch" });
  expect(agent(block("readwrite"), { tier: "working" })).toMatchObject({ outcome: "edit" });
});

test("decide() keeps a block that says so already", () => {
  expect(agent(block("readwrite"), { content: "old" })).toEqual({ outcome: "keep" });
  expect(agent(block("familiar"), { content: "old" })).toEqual({ outcome: "keep" });
});

test("decide() answers a conflict when the version is not the expected one", () => {
  expect(agent(block("readwrite"), { expectVersion: 2 })).toMatchObject({ outcome: "conflict" });
  expect(agent(null, { expectVersion: 3 })).toMatchObject({ outcome: "conflict" });
  expect(agent(block("readwrite"), { expectVersion: 0 })).toMatchObject({ outcome: "conflict" });
  expect(agent(block("readwrite"), { expectVersion: 3 })).toMatchObject({ outcome: "edit" });
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
  expect(agent(block("append", "x".repeat(15)), { content: "y".repeat(4) })).toMatchObject({ outcome: "edit" });
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

test("decide() never lets the agent change a readonly or familiar block, nor create one where the tier is not its own", () => {
  const text = fc.string({ maxLength: 25 });
  const proposal = fc.record({
    label: fc.constant("notes"),
    content: text,
    tier: fc.option(fc.constantFrom(...TIERS), { nil: undefined }),
    expectVersion: fc.option(fc.nat(5), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.option(fc.constantFrom(...PERMISSIONS)), text, proposal, (permission, content, asked) => {
      const { outcome } = decide(permission === null ? null : block(permission, content), asked, "agent", policy);
      if (permission === "readonly" || permission === "familiar") expect(outcome).not.toMatch(/^(edit|create)$/);
      if (permission === null && asked.tier === "core") expect(outcome).not.toMatch(/^(edit|create)$/);
    }),
    { numRuns: 1_000 },
  );
});

test("decide() lets a person write whatever the permission, but not move a block or change its permission by writing", () => {
  for (const permission of PERMISSIONS) {
    expect(decide(block(permission), { label: "notes", content: "new" }, "person", policy)).toMatchObject({
      outcome: "edit",
      after: "new",
    });
  }
  expect(
    decide(null, { label: "notes", content: "new", tier: "core", permission: "readonly" }, "person", policy),
  ).toMatchObject({ outcome: "create", permission: "readonly" });
  expect(
    decide(block("familiar"), { label: "notes", content: "new", permission: "readwrite" }, "person", policy),
  ).toMatchObject({ outcome: "refused" });
});

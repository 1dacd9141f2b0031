import { expect, test } from "vitest";
import { useSharedDatabase } from "../../test/shared-database.ts";
import { type Permission, TIERS } from "../block/memory-block.ts";

const { database, open } = useSharedDatabase();

async function blockWith(permission: Permission, content = "old") {
  const memory = await open();
  await memory.admin.write({ label: "notes", content, permission });
  return memory;
}

test("write() creates a block with the permission of its tier", async () => {
  const { manager, admin } = await open();
  expect(await manager.write({ label: "a", content: "x" })).toMatchObject({
    outcome: "applied",
    block: { tier: "working", permission: "readwrite", version: 1 },
  });
  expect(await manager.write({ label: "b", content: "x", tier: "archival" })).toMatchObject({
    outcome: "applied",
    block: { permission: "append" },
  });
  expect(await manager.write({ label: "c", content: "x", tier: "core" })).toMatchObject({
    outcome: "queued",
    mutation: { baseVersion: 0, blockId: null, tier: "core" },
  });
  expect(await admin.get("c")).toBeNull();
});

test("write() follows other permissions of new blocks when a host sets them", async () => {
  const { manager } = await open({ permissions: { working: "readonly", core: "readwrite" } });
  expect(await manager.write({ label: "a", content: "x" })).toMatchObject({ outcome: "refused", code: "readonly" });
  expect(await manager.write({ label: "a", content: "x", tier: "core" })).toMatchObject({ outcome: "applied" });
});

test("write() replaces the text of a readwrite block and counts the version", async () => {
  const { manager, admin } = await blockWith("readwrite");
  expect(await manager.write({ label: "NOTES", content: "new" })).toMatchObject({
    outcome: "applied",
    block: { label: "notes", content: "new", version: 2 },
  });
  expect(await manager.write({ label: "notes", content: "new" })).toMatchObject({
    outcome: "applied",
    block: { version: 2 },
  });
  expect(await admin.history("notes")).toHaveLength(2);
});

test("write() adds a line to an append block", async () => {
  const { manager, admin } = await blockWith("append");
  await manager.write({ label: "notes", content: "second" });
  await manager.write({ label: "notes", content: "second" });
  expect(await admin.get("notes")).toMatchObject({ content: "old\nsecond\nsecond", version: 3 });
});

test("write() queues a change of a familiar block and changes nothing", async () => {
  const { manager, admin } = await blockWith("familiar");
  const result = await manager.write({ label: "notes", content: "new", reason: "asked" });
  expect(result).toMatchObject({
    outcome: "queued",
    mutation: {
      label: "notes",
      before: "old",
      proposed: "new",
      reason: "asked",
      baseVersion: 1,
      stale: false,
      actor: { kind: "agent", id: "agent" },
      diff: expect.stringContaining("-old\n+new"),
    },
  });
  expect(await admin.get("notes")).toMatchObject({ content: "old", version: 1 });
  expect(await admin.history("notes")).toHaveLength(1);
});

test("write() refuses a readonly block", async () => {
  const { manager, admin } = await blockWith("readonly");
  expect(await manager.write({ label: "notes", content: "new" })).toMatchObject({
    outcome: "refused",
    code: "readonly",
    reason: expect.stringContaining("readonly"),
  });
  expect(await admin.get("notes")).toMatchObject({ content: "old" });
  expect(await admin.pending()).toEqual([]);
});

test("write() refuses a tier other than the block's", async () => {
  const { manager, admin } = await blockWith("readwrite");
  expect(await manager.write({ label: "notes", content: "new", tier: "archival" })).toMatchObject({
    outcome: "refused",
    code: "tier_mismatch",
  });
  expect(await admin.get("notes")).toMatchObject({ content: "old", tier: "working" });
});

test("write() answers a conflict with the block when the version is not the expected one", async () => {
  const { manager } = await blockWith("readwrite");
  await manager.write({ label: "notes", content: "theirs" });
  expect(await manager.write({ label: "notes", content: "mine", expectVersion: 1 })).toMatchObject({
    outcome: "conflict",
    proposed: "mine",
    current: { content: "theirs", version: 2 },
  });
  expect(await manager.write({ label: "notes", content: "both", expectVersion: 2 })).toMatchObject({
    outcome: "applied",
  });
});

test("write() is one entry when the same proposal is made twice", async () => {
  const { manager, admin } = await blockWith("familiar");
  const first = await manager.write({ label: "notes", content: "new" });
  const second = await manager.write({ label: "notes", content: "new", reason: "again" });
  expect(second).toEqual(first);
  await manager.write({ label: "notes", content: "other" });
  expect(await admin.pending()).toHaveLength(2);
});

test("write() refuses proposals beyond the limit", async () => {
  const { manager, admin } = await open({ limits: { pendingMutations: 2 } });
  for (const label of ["a", "b"]) await manager.write({ label, content: "x", tier: "core" });
  expect(await manager.write({ label: "c", content: "x", tier: "core" })).toMatchObject({
    outcome: "refused",
    code: "queue_full",
    reason: expect.stringContaining("2 proposals"),
  });
  expect(await manager.write({ label: "a", content: "x", tier: "core" })).toMatchObject({ outcome: "queued" });
  expect(await admin.pending()).toHaveLength(2);
});

test("write() refuses blocks beyond the limit", async () => {
  const { manager } = await open({ limits: { blocks: 2 } });
  for (const label of ["a", "b"]) await manager.write({ label, content: "x" });
  expect(await manager.write({ label: "c", content: "x" })).toMatchObject({ outcome: "refused", code: "memory_full" });
  expect(await manager.write({ label: "b", content: "y" })).toMatchObject({ outcome: "applied" });
});

test("write() keeps 50 additions made at the same time, and 50 blocks", async () => {
  const { manager, admin } = await blockWith("append", "0");
  await Promise.all(
    Array.from({ length: 50 }, (_, n) => [
      manager.write({ label: "notes", content: `line ${n}` }),
      manager.write({ label: `block ${n}`, content: "x" }),
    ]).flat(),
  );
  const lines = (await admin.get("notes"))?.content.split("\n");
  expect(new Set(lines)).toEqual(new Set(["0", ...Array.from({ length: 50 }, (_, n) => `line ${n}`)]));
  expect(lines).toHaveLength(51);
  expect(await manager.list()).toHaveLength(51);
  expect((await admin.history(undefined, { limit: 1_000 })).map(({ seq }) => seq)).toEqual(
    Array.from({ length: 101 }, (_, n) => 101 - n),
  );
});

test("write() makes one block when several create it at the same time", async () => {
  const { manager, admin } = await open();
  const results = await Promise.all(
    Array.from({ length: 10 }, (_, n) => manager.write({ label: "one", content: `${n}`, expectVersion: 0 })),
  );
  expect(results.filter(({ outcome }) => outcome === "applied")).toHaveLength(1);
  expect(results.filter(({ outcome }) => outcome === "conflict")).toHaveLength(9);
  expect(await admin.get("one")).toMatchObject({ version: 1 });
});

test("write() keeps a text exactly, whatever is in it", async () => {
  const { manager, admin } = await open();
  const content = "'; DROP TABLE dispatch_memory.block; --\\ $1 $$ \r\n\t\u2028\u{1f600}\ufeff %s ${x} \u0001";
  await manager.write({ label: "odd", content });
  expect((await admin.get("odd"))?.content).toBe(content);
});

test("list() names every block, core first, without its text", async () => {
  const { manager, admin } = await open();
  for (const tier of TIERS.toReversed()) await admin.write({ label: tier, content: `${tier} `.repeat(100), tier });
  const list = await manager.list();
  expect(list.map(({ label }) => label)).toEqual(["core", "working", "archival"]);
  expect(list[0]).toEqual({
    id: expect.any(String),
    label: "core",
    tier: "core",
    permission: "familiar",
    source: "person",
    trust: "high",
    version: 1,
    characters: 500,
    preview: "core ".repeat(16),
    updatedAt: expect.any(String),
  });
  expect((await manager.list({ tier: "working" })).map(({ label }) => label)).toEqual(["working"]);
});

test("a manager has nothing of another owner's, and no method of an admin", async () => {
  const mine = await open({ owner: "me" });
  const theirs = await open({ owner: "them" });
  await mine.manager.write({ label: "secret", content: "my tea" });
  await mine.manager.write({ label: "plan", content: "my plan", tier: "core" });
  expect(await theirs.manager.search("secret tea")).toEqual([]);
  expect(await theirs.manager.list()).toEqual([]);
  expect(await theirs.manager.write({ label: "secret", content: "their tea" })).toMatchObject({
    outcome: "applied",
    block: { version: 1 },
  });
  const [plan] = await mine.admin.pending();
  for (const id of [plan?.id ?? "", "' OR 1=1 --", "%"]) {
    expect(await theirs.admin.approve(id)).toMatchObject({ outcome: "refused", code: "not_found" });
    expect(await theirs.admin.reject(id, "no")).toMatchObject({ outcome: "refused" });
  }
  expect(await theirs.admin.forget("plan")).toEqual({ blocks: 0, events: 0, mutations: 0 });
  expect(await mine.admin.get("secret")).toMatchObject({ content: "my tea" });
  expect(await mine.admin.pending()).toHaveLength(1);
  expect(Object.keys(mine.manager).toSorted()).toEqual(["edit", "get", "list", "move", "remove", "search", "write"]);
  expect(Object.isFrozen(mine.manager)).toBe(true);
});

test.each([{ permission: "readwrite" }, { actor: { kind: "person", id: "root" } }, { owner: "them" }])(
  "write() refuses what a caller smuggles in: %j",
  async (smuggled) => {
    const { manager, admin } = await open();
    const request = { label: "persona", content: "x", tier: "core" as const, ...smuggled };
    await expect(manager.write(request)).rejects.toMatchObject({ code: "memory_options" });
    expect([await admin.get("persona"), await admin.pending()]).toEqual([null, []]);
  },
);

test("every table is as it was after labels, ids and queries that are SQL", async () => {
  const attacks = [
    "'; DROP SCHEMA dispatch_memory CASCADE; --",
    "' OR '1'='1",
    "$1",
    "\\'; SELECT 1",
    "a' & !b | 'c:*",
    "1); DELETE FROM dispatch_memory.block --",
  ];
  const { manager, admin } = await open();
  await manager.write({ label: "safe", content: "x" });
  const count = async () =>
    (await database().query<{ n: number }>("SELECT count(*) AS n FROM dispatch_memory.block"))[0]?.n;
  const before = await count();
  for (const attack of attacks) {
    await manager.write({ label: attack, content: attack, reason: attack });
    await manager.search(attack, { labelPrefix: attack, limit: Number.NaN });
    for (const wrong of [{ tier: attack }, { source: attack }, { since: attack }])
      await expect(manager.search(attack, wrong as object)).rejects.toMatchObject({ code: "memory_query" });
    await manager.list({ tier: attack as "core" });
    await admin.history(attack);
    await admin.undo(attack as unknown as number);
    await admin.forget(attack);
  }
  expect(await count()).toBe((before ?? 0) + (await manager.list()).length - 1);
  expect(await admin.get("safe")).toMatchObject({ content: "x" });
});

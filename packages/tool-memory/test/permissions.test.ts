import { expect, test } from "vitest";
import type { Permission } from "../src/block/memory-block.ts";
import { useSharedDatabase } from "./shared-database.ts";

const { database, open } = useSharedDatabase();

async function blockWith(permission: Permission) {
  const memory = await open();
  await memory.admin.write({ label: "notes", content: "old", permission });
  const { manager } = memory;
  const all = {
    write: () => manager.write({ label: "notes", content: "new" }),
    edit: () => manager.edit({ label: "notes", offset: 0, before: "old", after: "new" }),
    add: () => manager.edit({ label: "notes", offset: 3, before: "", after: "er" }),
    rename: () => manager.move({ label: "notes", newLabel: "other" }),
    archive: () => manager.move({ label: "notes", tier: "archival" }),
    promote: () => manager.move({ label: "notes", tier: "core" }),
    remove: () => manager.remove({ label: "notes" }),
  };
  return { ...memory, all };
}

const expected: readonly [Permission, string][] = [
  ["readonly", "refused refused refused refused refused refused refused"],
  ["familiar", "queued queued queued queued queued queued queued"],
  ["append", "applied queued applied queued queued queued queued"],
  ["readwrite", "applied applied applied applied applied queued applied"],
];

test.each(expected)(
  "%s answers write, edit, add, rename, archive, promote and remove with %s",
  async (permission, said) => {
    const outcomes: string[] = [];
    for (const name of ["write", "edit", "add", "rename", "archive", "promote", "remove"] as const) {
      const { all, admin } = await blockWith(permission);
      const { outcome } = await all[name]();
      outcomes.push(outcome);
      const block = await admin.get("notes");
      if (outcome !== "applied") expect(block).toMatchObject({ content: "old", version: 1, tier: "working" });
    }
    expect(outcomes.join(" ")).toBe(said);
  },
);

test("approve() carries out a move and a removal as they were proposed", async () => {
  const { all, admin } = await blockWith("familiar");
  await all.rename();
  await all.promote();
  const [rename, promote] = await admin.pending();
  expect(rename).toMatchObject({ op: "move", newLabel: "other", diff: expect.stringContaining("+++ other (proposed") });
  expect(await admin.approve(rename?.id ?? "", { content: "x" })).toMatchObject({ code: "invalid_value" });
  expect(await admin.approve(rename?.id ?? "")).toMatchObject({ outcome: "applied", block: { label: "other" } });
  expect(await admin.approve(promote?.id ?? "")).toMatchObject({ outcome: "conflict", current: null });
  await admin.undo(2);
  await all.remove();
  await admin.approveAll();
  expect(await admin.get("notes")).toBeNull();
  expect((await admin.history("notes"))[0]).toMatchObject({ kind: "removed", actor: { kind: "person" } });
});

test("approve() looks again whether a label is free and the memory has room", async () => {
  const { manager, admin } = await open({ limits: { blocks: 1 } });
  await manager.write({ label: "a", content: "x", tier: "core" });
  await manager.write({ label: "b", content: "x" });
  const [proposal] = await admin.pending();
  expect(await admin.approve(proposal?.id ?? "")).toMatchObject({ outcome: "refused", code: "memory_full" });
  await admin.setPermission("b", "familiar");
  await manager.move({ label: "b", newLabel: "c" });
  await admin.remove("b");
  await admin.undo(3);
  await admin.move("b", { newLabel: "d" });
  await admin.write({ label: "c", content: "y" });
  expect(await admin.pending()).toHaveLength(2);
  expect(await admin.approveAll()).toMatchObject([{ code: "memory_full" }, { outcome: "conflict" }]);
});

test("move() refuses a label that a block has, and a block that is not there", async () => {
  const { manager, admin } = await open();
  for (const label of ["a", "b"]) await manager.write({ label, content: label });
  expect(await manager.move({ label: "a", newLabel: "B" })).toMatchObject({ outcome: "refused", code: "label_taken" });
  expect(await admin.move("a", { newLabel: "b" })).toMatchObject({ outcome: "refused", code: "label_taken" });
  expect(await manager.move({ label: "x", newLabel: "y" })).toMatchObject({ outcome: "refused", code: "not_found" });
  expect(await manager.move({ label: "a", newLabel: "../b" })).toMatchObject({ code: "invalid_label" });
  expect(await manager.move({ label: "a", newLabel: "A" })).toMatchObject({
    outcome: "applied",
    block: { label: "A" },
  });
  expect(await manager.remove({ label: "a", expectVersion: 1 })).toMatchObject({ outcome: "conflict" });
});

test.each([
  [1, "\ude00", "x"],
  [1, "", "x"],
  [0, "\ud83d", ""],
  [0, "", "a\0"],
  [0, "", "\ud83d"],
  [0.5, "", "x"],
  [-1, "", "x"],
  [Number.NaN, "", "x"],
  [99, "", "x"],
  [0, "other", "x"],
  [0, "😀", " "],
])("edit() at %d of %j by %j changes nothing", async (offset, before, after) => {
  const { manager, admin } = await open();
  await manager.write({ label: "face", content: "😀" });
  expect((await manager.edit({ label: "face", offset, before, after })).outcome).toMatch(/refused|conflict/);
  expect(await admin.get("face")).toMatchObject({ content: "😀", version: 1 });
  expect(await admin.verify()).toMatchObject({ ok: true });
});

test("a proposal expires, can be given more time, and is refused after", async () => {
  const { manager, admin } = await open({ limits: { proposalDays: 1, pendingMutations: 1 } });
  const age = (id: string) =>
    database().query(
      "UPDATE dispatch_memory.mutation SET expires_at = strftime('%FT%R:%fZ', expires_at, '-25 hours') WHERE id = $1",
      [id],
    );
  await manager.write({ label: "a", content: "x", tier: "core" });
  const [first] = await admin.pending();
  const id = first?.id ?? "";
  expect(await admin.extend(id, 3)).toMatchObject({ id });
  await age(id);
  expect(await admin.pending()).toHaveLength(1);
  await age(id);
  await age(id);
  expect(await admin.pending()).toEqual([]);
  expect(await admin.approve(id)).toMatchObject({ outcome: "refused", code: "expired" });
  expect(await admin.extend(id, 3)).toMatchObject({ outcome: "refused", code: "not_found" });
  expect(await admin.extend(id, 0)).toMatchObject({ code: "invalid_value" });
  expect(await manager.write({ label: "b", content: "x", tier: "core" })).toMatchObject({ outcome: "queued" });
  expect((await admin.export()).mutations.map(({ status }) => status)).toEqual(["expired", "pending"]);
});

test("quotas of characters and of changes a day refuse the agent, and count what is removed", async () => {
  const { manager, admin } = await open({ limits: { totalChars: 10, eventsPerDay: 4 } });
  expect(await manager.write({ label: "a", content: "12345678" })).toMatchObject({ outcome: "applied" });
  expect(await manager.write({ label: "b", content: "123" })).toMatchObject({
    code: "memory_full",
    reason: expect.stringContaining("8 characters and would hold 11, allowed are 10"),
  });
  expect(await manager.write({ label: "a", content: "1" })).toMatchObject({ outcome: "applied" });
  expect(await manager.write({ label: "b", content: "123" })).toMatchObject({ outcome: "applied" });
  expect(await manager.remove({ label: "b" })).toMatchObject({ outcome: "applied" });
  expect(await manager.write({ label: "c", content: "1" })).toMatchObject({
    code: "quota",
    reason: expect.stringContaining("4 changes were made today, allowed are 4 a day"),
  });
  expect(await admin.write({ label: "c", content: "123456789" })).toMatchObject({ outcome: "applied" });
  await admin.forget("c");
  expect(await admin.write({ label: "d", content: "123456789" })).toMatchObject({ outcome: "applied" });
});

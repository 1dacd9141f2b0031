import { expect, test } from "vitest";
import { useSharedDatabase } from "../../test/shared-database.ts";
import { tablesWith } from "../../test/tables-with.ts";
import { replayEvents } from "../block/memory-event.ts";
import type { Memory } from "./open-memory.ts";

const { database, open } = useSharedDatabase();

/** A core block `persona`, and the id of a proposal to change it. */
async function proposed(content = "I am Eve"): Promise<Memory & { id: string }> {
  const memory = await open();
  await memory.admin.write({ label: "persona", content: "I am Ada", tier: "core" });
  return { ...memory, id: await propose(memory, content) };
}

async function propose({ manager }: Pick<Memory, "manager">, content: string): Promise<string> {
  const result = await manager.write({ label: "persona", content, tier: "core", reason: "asked" });
  if (result.outcome !== "queued") throw new Error(result.outcome);
  return result.mutation.id;
}

test("approve() writes the proposal in the person's name and takes it off the queue", async () => {
  const { admin, id } = await proposed();
  expect(await admin.approve(id)).toMatchObject({
    outcome: "applied",
    block: { content: "I am Eve", version: 2, permission: "familiar" },
  });
  expect(await admin.pending()).toEqual([]);
  const [event] = await admin.history("persona");
  expect(event).toMatchObject({
    kind: "edited",
    before: "I am Ada",
    after: "I am Eve",
    actor: { kind: "person", id: "person" },
    reason: "asked",
    mutationId: id,
  });
  expect(await admin.approve(id)).toMatchObject({ outcome: "refused", code: "already_resolved" });
});

test("approve() creates the block that was proposed, familiar as its tier", async () => {
  const memory = await open();
  const id = await propose(memory, "I am Ada");
  expect(await memory.admin.approve(id, { content: "I am Ada Lovelace", reason: "whole name" })).toMatchObject({
    outcome: "applied",
    block: { content: "I am Ada Lovelace", tier: "core", permission: "familiar", version: 1 },
  });
  expect((await memory.admin.history())[0]).toMatchObject({ reason: "whole name", mutationId: id });
});

test("approve() answers a conflict with both texts when the block changed since", async () => {
  const { admin, id } = await proposed();
  await admin.write({ label: "persona", content: "I am Grace", tier: "core" });
  expect((await admin.pending())[0]).toMatchObject({ id, stale: true });
  expect(await admin.approve(id)).toMatchObject({
    outcome: "conflict",
    proposed: "I am Eve",
    current: { content: "I am Grace", version: 2 },
  });
  expect(await admin.get("persona")).toMatchObject({ content: "I am Grace" });
  expect(await admin.pending()).toHaveLength(1);
  expect(await admin.approve(id, { version: 1 })).toMatchObject({ outcome: "conflict" });
  expect(await admin.approve(id, { version: 2, content: "We are many" })).toMatchObject({
    outcome: "applied",
    block: { content: "We are many", version: 3 },
  });
});

test("approve() answers a conflict when the block was made, removed or made anew since", async () => {
  const memory = await open();
  const id = await propose(memory, "I am Ada");
  await memory.admin.write({ label: "persona", content: "other", tier: "core" });
  expect(await memory.admin.approve(id)).toMatchObject({ outcome: "conflict", current: { content: "other" } });
  const change = await propose(memory, "I am Eve");
  await memory.admin.undo(1);
  expect(await memory.admin.approve(change)).toMatchObject({ outcome: "conflict", current: null });
  await memory.admin.write({ label: "persona", content: "other", tier: "core" });
  expect(await memory.admin.approve(change)).toMatchObject({
    outcome: "conflict",
    current: { content: "other", version: 1 },
  });
});

test("approve() answers a conflict when the permission changed since", async () => {
  const { admin, id } = await proposed();
  await admin.setPermission("persona", "readonly");
  expect(await admin.approve(id)).toMatchObject({ outcome: "conflict" });
  expect(await admin.get("persona")).toMatchObject({ content: "I am Ada", permission: "readonly" });
});

test("a proposal made again for a newer block takes the older one's place", async () => {
  const memory = await proposed();
  await memory.admin.write({ label: "persona", content: "I am Grace", tier: "core" });
  const again = await propose(memory, "I am Eve");
  expect(again).not.toBe(memory.id);
  expect((await memory.admin.pending()).map(({ id, before, stale }) => ({ id, before, stale }))).toEqual([
    { id: again, before: "I am Grace", stale: false },
  ]);
  expect(await memory.admin.approve(memory.id)).toMatchObject({ outcome: "conflict" });
  expect(await memory.admin.approve(again)).toMatchObject({ outcome: "applied" });
});

test("reject() keeps the block, and tells the agent why when it proposes the same again", async () => {
  const memory = await proposed();
  const { manager, admin, id } = memory;
  expect(await admin.reject(id, 'you are not "Eve"')).toMatchObject({
    outcome: "rejected",
    mutation: { id, status: "rejected", feedback: 'you are not "Eve"' },
  });
  expect(await admin.pending()).toEqual([]);
  expect(await admin.get("persona")).toMatchObject({ content: "I am Ada", version: 1 });
  expect(await manager.write({ label: "persona", content: "I am Eve" })).toMatchObject({
    outcome: "refused",
    code: "rejected_before",
    reason: expect.stringContaining('"you are not \\"Eve\\""'),
  });
  expect(await manager.write({ label: "persona", content: "I am Ada L." })).toMatchObject({ outcome: "queued" });
  expect(await admin.reject(id, "again")).toMatchObject({ outcome: "refused", code: "already_resolved" });
  expect(await admin.approve(id)).toMatchObject({ outcome: "applied", block: { content: "I am Eve" } });
});

test.each([
  ["empty", ""],
  ["not storable", "a\0b"],
  ["too long", "x".repeat(20_001)],
])("approve() refuses a text that is %s", async (_, content) => {
  const { admin, id } = await proposed();
  expect(await admin.approve(id, { content })).toMatchObject({ outcome: "refused" });
  expect(await admin.pending()).toHaveLength(1);
});

test("setPermission() changes what the agent may do, and is in the history", async () => {
  const { manager, admin } = await open();
  await manager.write({ label: "notes", content: "x" });
  expect(await admin.setPermission("notes", "readonly", { reason: "done" })).toMatchObject({
    outcome: "applied",
    block: { permission: "readonly", version: 2 },
  });
  expect(await manager.write({ label: "notes", content: "y" })).toMatchObject({ outcome: "refused" });
  expect((await admin.history("notes"))[0]).toMatchObject({
    kind: "permission_changed",
    was: { permission: "readwrite" },
    is: { permission: "readonly" },
    reason: "done",
  });
  expect(await admin.setPermission("none", "readonly")).toMatchObject({ outcome: "refused", code: "not_found" });
  expect(await admin.setPermission("notes", "root" as "readonly")).toMatchObject({
    outcome: "refused",
    code: "invalid_value",
  });
});

test("undo() restores what was there, and undoing that brings the change back", async () => {
  const { manager, admin } = await open();
  await manager.write({ label: "log", content: "one", tier: "archival" });
  await manager.write({ label: "log", content: "two", tier: "archival" });
  await admin.write({ label: "log", content: "all new" });
  await admin.setPermission("log", "readonly");
  const texts: unknown[] = [];
  for (const seq of [4, 3, 2, 1, 8, 7, 6, 5]) {
    const undone = await admin.undo(seq, { reason: "mistake" });
    expect(undone).toMatchObject({
      outcome: "undone",
      events: [{ undoes: seq, reason: "mistake", actor: { kind: "person" } }],
    });
    const [block] = undone.outcome === "undone" ? undone.blocks : [];
    texts.push(block ? `${block.permission}: ${block.content}` : null);
  }
  expect(texts).toEqual([
    "append: all new",
    "append: one\ntwo",
    "append: one",
    null,
    "append: one",
    "append: one\ntwo",
    "append: all new",
    "readonly: all new",
  ]);
  const { blocks, events } = await admin.export();
  expect(replayEvents(events)).toEqual(blocks);
});

test("undo() takes an addition out from among others", async () => {
  const { manager, admin } = await open();
  for (const content of ["one", "two", "three"]) await manager.write({ label: "log", content, tier: "archival" });
  expect(await admin.undo(2)).toMatchObject({ outcome: "undone", blocks: [{ content: "one\nthree" }] });
  expect(await admin.undo(4)).toMatchObject({ outcome: "undone", blocks: [{ content: "one\ntwo\nthree" }] });
  expect(await admin.undo([2, 3])).toMatchObject({ outcome: "undone", blocks: [{ content: "one" }] });
});

test("undo() answers a conflict when what the event did does not stand any more", async () => {
  const { manager, admin } = await open();
  for (const content of ["one", "two"]) await manager.write({ label: "log", content, tier: "archival" });
  const conflict = { outcome: "conflict", conflicts: [{ seq: 1, current: { content: "one\ntwo" } }] };
  expect(await admin.undo(1)).toMatchObject(conflict);
  expect(await admin.undo(99)).toMatchObject({ outcome: "refused", code: "not_found" });
  expect(await admin.undo(1.5)).toMatchObject({ outcome: "refused", code: "not_found" });
  expect(await admin.undo({})).toMatchObject({ outcome: "refused", code: "invalid_value" });
});

test("undo() answers a conflict when a later text merely ends as the event's did", async () => {
  const { manager, admin } = await open();
  for (const content of ["one", "two", "one and two"]) await manager.write({ label: "a", content });
  expect(await admin.undo(2)).toMatchObject({ conflicts: [{ current: { content: "one and two" } }] });
});

test("undo() does not bring a block back over one made since", async () => {
  const { manager, admin } = await open();
  await manager.write({ label: "a", content: "first" });
  await admin.undo(1);
  await manager.write({ label: "a", content: "second" });
  expect(await admin.undo(2)).toMatchObject({ outcome: "conflict", conflicts: [{ seq: 2, current: null }] });
  expect(await admin.undo(1)).toMatchObject({ outcome: "conflict" });
});

test("history() pages through events, latest first", async () => {
  const { manager, admin } = await open();
  for (let n = 1; n <= 5; n++) await manager.write({ label: n % 2 ? "odd" : "even", content: `${n}` });
  expect((await admin.history()).map(({ seq }) => seq)).toEqual([5, 4, 3, 2, 1]);
  expect((await admin.history("ODD", { limit: 2 })).map(({ seq }) => seq)).toEqual([5, 3]);
  expect((await admin.history("odd", { limit: 2, before: 3 })).map(({ seq }) => seq)).toEqual([1]);
  expect(await admin.history("none")).toEqual([]);
});

test("forget() leaves no row of the label, and nothing else goes", async () => {
  const memory = await proposed("xyzzy2");
  const { manager, admin } = memory;
  await admin.write({ label: "persona", content: "xyzzy", tier: "core" });
  await manager.write({ label: "notes", content: "kept" });
  expect(await admin.forget("Persona")).toEqual({ blocks: 1, events: 2, mutations: 1 });
  expect(await tablesWith(database(), "xyzzy")).toEqual([]);
  expect(await manager.search("xyzzy")).toEqual([]);
  expect(await admin.pending()).toEqual([]);
  expect((await manager.list()).map(({ label }) => label)).toEqual(["notes"]);
  expect(await admin.forget("persona")).toEqual({ blocks: 0, events: 0, mutations: 0 });
  expect(await manager.write({ label: "notes", content: "still numbered" })).toMatchObject({ outcome: "applied" });
  expect((await admin.history()).map(({ seq, kind }) => [seq, kind])).toEqual([
    [4, "edited"],
    [3, "created"],
    [2, "forgotten"],
    [1, "forgotten"],
  ]);
  expect(await admin.verify()).toMatchObject({ ok: true, head: { seq: 4 } });
});

test("export() is everything of the owner, as plain data", async () => {
  const memory = await proposed();
  await memory.admin.reject(memory.id, "no");
  const exported = await memory.admin.export();
  expect(JSON.parse(JSON.stringify(exported))).toEqual(exported);
  expect(exported).toMatchObject({
    format: "dispatch-memory/1",
    blocks: [{ label: "persona" }],
    events: [{ seq: 1 }],
    mutations: [{ id: memory.id, status: "rejected", feedback: "no" }],
  });
});

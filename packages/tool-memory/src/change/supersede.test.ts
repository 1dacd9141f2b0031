import { expect, test } from "vitest";
import { openOn } from "../../test/engines.ts";
import { useSharedDatabase } from "../../test/shared-database.ts";
import type { MemoryBlock, Permission } from "../block/memory-block.ts";
import { toJsonLines } from "../history/json-lines.ts";
import type { Memory } from "../memory/open-memory.ts";

const { database, open } = useSharedDatabase();

async function cityWith(permission: Permission): Promise<Memory> {
  const memory = await open();
  const city = { label: "city", content: "The user lives in Paris" };
  // What a person wrote is hidden only with approval, also where its permission is `readwrite`.
  if (permission === "readwrite") await memory.manager.write(city);
  else await memory.admin.write({ ...city, permission });
  return memory;
}
const found = async ({ manager }: Memory, options = {}): Promise<readonly string[]> =>
  (await manager.search("where does the user live", options)).map(({ label }) => label);
const move = { label: "home town", content: "The user lives in Lyon", supersedes: "CITY" };

test("write() has a readwrite block superseded: kept, found by its label or when asked for", async () => {
  const memory = await cityWith("readwrite");
  expect(await memory.manager.write(move)).toMatchObject({ outcome: "applied" });
  expect(await found(memory)).toEqual(["home town"]);
  expect(new Set(await found(memory, { superseded: true }))).toEqual(new Set(["home town", "city"]));
  expect((await memory.manager.search("city"))[0]?.label).toBe("city");
  expect(await memory.admin.get("city")).toMatchObject({ content: "The user lives in Paris", version: 1 });
  expect(await memory.admin.history("city")).toHaveLength(1);
});

test("write() refuses to supersede what is readonly, what is not there, and itself; nothing is written", async () => {
  const memory = await cityWith("readonly");
  for (const [supersedes, code] of [
    ["city", "readonly"],
    ["nowhere", "not_found"],
    ["home town", "invalid_value"],
    ["../x", "invalid_label"],
  ] as const)
    expect(await memory.manager.write({ ...move, supersedes })).toMatchObject({ outcome: "refused", code });
  expect(await memory.admin.get("home town")).toBeNull();
  expect(await found(memory)).toEqual(["city"]);
});

test("write() has a person asked before a familiar block is superseded", async () => {
  const memory = await cityWith("familiar");
  const queued = await memory.manager.write({ ...move, reason: "moved" });
  expect(queued).toMatchObject({
    outcome: "queued",
    mutation: { label: "home town", reason: "moved", supersedesLabel: "city" },
  });
  expect(await found(memory)).toEqual(["city"]);
  await memory.admin.approve(queued.outcome === "queued" ? queued.mutation.id : "");
  expect(await found(memory)).toEqual(["home town"]);
});

test("a proposal that waits does not gain what it supersedes by being made again", async () => {
  const memory = await cityWith("familiar");
  const plain = { label: "home town", content: "The user lives in Lyon", tier: "core" as const };
  const first = await memory.manager.write(plain);
  await memory.manager.write({ ...plain, supersedes: "city" });
  const [proposal] = await memory.admin.pending();
  expect(first).toMatchObject({ outcome: "queued", mutation: { id: proposal?.id } });
  await memory.admin.approve(proposal?.id ?? "");
  expect(new Set(await found(memory))).toEqual(new Set(["city", "home town"]));
});

test("undo() and forget() of the later block bring the earlier one back", async () => {
  const memory = await cityWith("readwrite");
  await memory.manager.write({ label: "home town", content: "Somewhere" });
  await memory.manager.write(move);
  expect(await found(memory)).toEqual(["home town"]);
  await memory.admin.undo(3);
  expect((await found(memory))[0]).toBe("city");
  await memory.manager.write(move);
  expect(await found(memory)).toEqual(["home town"]);
  await memory.admin.forget("home town");
  expect(await found(memory)).toEqual(["city"]);
});

const lines = async ({ admin }: Memory): Promise<readonly string[]> => [...toJsonLines(await admin.export())];
const superseded = (blocks: readonly MemoryBlock[]): readonly string[] =>
  blocks.flatMap((block) => block.supersedes ?? []);

test("what a block supersedes is in its history, before and after, and the history verifies", async () => {
  const memory = await cityWith("readwrite");
  await memory.manager.write({ label: "home town", content: "Somewhere" });
  await memory.manager.write(move);
  const city = await memory.admin.get("city");
  expect(await memory.admin.get("home town")).toMatchObject({ supersedes: [city?.id] });
  expect(superseded(await memory.admin.at({ seq: 2 }))).toEqual([]);
  expect(superseded(await memory.admin.at({ seq: 3 }))).toEqual([city?.id]);
  expect(await memory.admin.verify()).toMatchObject({ ok: true, head: { seq: 3 } });
});

test("write() of the text that is there supersedes by an event that can be undone, and does so once", async () => {
  const memory = await cityWith("readwrite");
  await memory.manager.write({ label: "home town", content: move.content });
  for (let n = 0; n < 2; n++) expect(await memory.manager.write(move)).toMatchObject({ block: { version: 2 } });
  expect(await found(memory)).toEqual(["home town"]);
  const [last] = await memory.admin.history("home town");
  await memory.admin.undo(last?.seq ?? 0);
  expect(new Set(await found(memory))).toEqual(new Set(["city", "home town"]));
  await memory.admin.undo((last?.seq ?? 0) + 1);
  expect(await found(memory)).toEqual(["home town"]);
  expect(await memory.admin.verify()).toMatchObject({ ok: true });
});

test("undo() of one supersession leaves a later one of the same block", async () => {
  const memory = await cityWith("readwrite");
  await memory.manager.write({ label: "place", content: "The user lives in Rome" });
  await memory.manager.write(move);
  await memory.manager.write({ ...move, supersedes: "place" });
  expect(await memory.admin.undo(4)).toMatchObject({ outcome: "undone" });
  expect(new Set(await found(memory))).toEqual(new Set(["home town", "place"]));
});

test("a superseded block that is removed and brought back is superseded still", async () => {
  const memory = await cityWith("readwrite");
  await memory.manager.write(move);
  await memory.admin.remove("city");
  await memory.admin.undo(3);
  expect(await memory.admin.get("city")).not.toBeNull();
  expect(await found(memory)).toEqual(["home town"]);
  await memory.admin.remove("home town");
  expect(await found(memory)).toEqual(["city"]);
  await memory.admin.undo(5);
  expect(await found(memory)).toEqual(["home town"]);
  expect(await memory.admin.verify()).toMatchObject({ ok: true });
});

test("import() brings back what supersedes what, and what proposals would", async () => {
  const memory = await cityWith("familiar");
  await memory.manager.write({ label: "old", content: "The user lives in Rome" });
  await memory.manager.write({ ...move, supersedes: "old" });
  await memory.manager.write({ label: "town", content: "The user lives in Nice", supersedes: "city" });
  const restored = await open();
  expect(await restored.admin.import(await lines(memory), { restore: true })).toMatchObject({ outcome: "imported" });
  expect(new Set(await found(restored))).toEqual(new Set(["home town", "city"]));
  expect(await restored.admin.verify()).toEqual(await memory.admin.verify());
  await restored.admin.approveAll();
  expect(new Set(await found(restored))).toEqual(new Set(["home town", "town"]));
  expect(await restored.admin.verify()).toMatchObject({ ok: true });
});

test("import() without restore keeps what supersedes what among new blocks, and supersedes nothing that was there", async () => {
  const memory = await cityWith("readwrite");
  await memory.manager.write(move);
  const file = await lines(memory);
  const other = await open();
  expect(await other.admin.import(file)).toMatchObject({ blocks: 2 });
  expect(await found(other)).toEqual(["home town"]);
  expect(await other.admin.verify()).toMatchObject({ ok: true });
  const third = await cityWith("readwrite");
  await third.admin.import(file);
  expect(new Set(await found(third))).toEqual(new Set(["city", "home town"]));
});

test("import() takes an export of a version that knew of no superseding in proposals", async () => {
  const memory = await open();
  await memory.manager.write({ label: "tea", content: "Green", tier: "core" });
  const old = (await lines(memory)).map((line) => line.replace(/,"supersedes\w*":null/g, ""));
  expect(old.join("")).not.toContain("supersedes");
  const restored = await open();
  expect(await restored.admin.import(old, { restore: true })).toMatchObject({ proposals: 1 });
  expect(await restored.admin.approveAll()).toMatchObject([{ outcome: "applied" }]);
});

test.each([
  ["city", "home town"],
  ["home town", "city"],
] as const)("forget() of %s leaves nothing of it where %s is, and the history verifies", async (label, other) => {
  const memory = await cityWith("familiar");
  const queued = await memory.manager.write({ ...move, reason: "moved" });
  await memory.admin.approve(queued.outcome === "queued" ? queued.mutation.id : "");
  await memory.admin.write({ label: "home town", content: "The user lives in Lyon, by the river" });
  const gone = await memory.admin.get(label);
  expect((await lines(memory)).join("")).toContain(gone?.id);
  expect(await memory.admin.forget(label)).toMatchObject({ blocks: 1 });
  const left = (await lines(memory)).join("");
  for (const trace of [label, gone?.id ?? "", gone?.content ?? ""]) expect(left).not.toContain(trace);
  expect(await found(memory)).toEqual([other]);
  expect(await memory.admin.verify()).toMatchObject({ ok: true });
  const restored = await open();
  expect(await restored.admin.import([left], { restore: true })).toMatchObject({ outcome: "imported", blocks: 1 });
});

test("forget() reaches blocks that were removed, and what superseded them in turn", async () => {
  const memory = await cityWith("readwrite");
  await memory.manager.write(move);
  await memory.manager.write({ label: "now", content: "The user lives in Nice", supersedes: "home town" });
  await memory.admin.remove("home town");
  const gone = (await memory.admin.history()).filter((event) => event.label !== "now").map((event) => event.blockId);
  await memory.admin.forget("city");
  const left = (await lines(memory)).join("");
  for (const id of gone) expect(left).not.toContain(id);
  expect(await memory.admin.get("now")).toMatchObject({ content: "The user lives in Nice" });
  expect(await memory.admin.verify()).toMatchObject({ ok: true });
});

test.each([
  "DELETE FROM dispatch_memory.supersession WHERE owner = $1",
  `INSERT INTO dispatch_memory.supersession (owner, block_id, by_id)
   SELECT owner, by_id, block_id FROM dispatch_memory.supersession WHERE owner = $1`,
])("verify() finds what was superseded past the history: %s", async (statement) => {
  const sql = database();
  const memory = await openOn(sql, { owner: statement });
  await memory.admin.write({ label: "city", content: "The user lives in Paris" });
  await memory.admin.write({ ...move, supersedes: "city" });
  await sql.query(statement, [statement]);
  expect(await memory.admin.verify()).toMatchObject({ ok: false });
});

test("write() has one block supersede a hundred others at most", async () => {
  const memory = await open();
  for (let n = 0; n <= 100; n++) await memory.admin.write({ label: `old ${n}`, content: `${n}` });
  const write = (n: number) => memory.admin.write({ label: "new", content: "all", supersedes: `old ${n}` });
  for (let n = 0; n < 100; n++) expect(await write(n)).toMatchObject({ outcome: "applied" });
  expect(await write(100)).toMatchObject({ outcome: "refused", code: "too_large" });
});

test("write() names blocks that say nearly the same when it creates one and the option asks for it", async () => {
  const { manager, admin } = await open();
  await admin.write({ label: "user/city", content: "The user lives in Paris, near the canal", tier: "archival" });
  await admin.write({ label: "user/dog", content: "The user has a dog", tier: "archival" });
  const write = (label: string, content: string) => manager.write({ label, content, findSimilar: true });
  expect(await write("city", "The user lives in Paris near the canal")).toMatchObject({
    similar: [{ label: "user/city", preview: "The user lives in Paris, near the canal" }],
  });
  expect(await write("town", "The user lives in Paris, near the canal")).toMatchObject({
    similar: [{ likeness: 1 }, {}],
  });
  expect(await write("job", "Works as a carpenter")).not.toHaveProperty("similar");
  expect(await manager.write({ label: "town 2", content: "The user lives in Paris" })).not.toHaveProperty("similar");
});

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Memory } from "../src/memory/open-memory.ts";
import { openOn } from "./engines.ts";
import { withClock } from "./set-clock.ts";
import { useSharedDatabase } from "./shared-database.ts";

const { database, open } = useSharedDatabase();
let owners = 0;

/** Two runs of two agents in one memory. */
async function two() {
  const owner = `shared ${++owners}`;
  const a = await open({ owner, actor: "ann", session: "monday" });
  const b = await open({ owner, actor: "bob", session: "tuesday" });
  return { a, b, admin: a.admin };
}
const contentsOf = async ({ admin }: Pick<Memory, "admin">) =>
  (await admin.export()).blocks.map(({ label, content, tier, permission, source, trust }) =>
    [label, content, tier, permission, source, trust].join(" | "),
  );

test("undo() of a session takes its lines out and leaves the others', in any order they were written", async () => {
  const turns = fc.array(fc.tuple(fc.boolean(), fc.constantFrom("log", "diary")), { minLength: 1, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(turns, async (list) => {
      const { a, b, admin } = await two();
      const expected = new Map<string, string[]>();
      for (const label of ["log", "diary"]) {
        await admin.write({ label, content: "start", tier: "archival" });
        expected.set(label, ["start"]);
      }
      for (const [n, [byAnn, label]] of list.entries()) {
        await (byAnn ? a : b).manager.write({ label, content: `line ${n}`, source: byAnn ? "web" : undefined });
        if (!byAnn) expected.get(label)?.push(`line ${n}`);
      }
      const before = await contentsOf(a);
      const undone = await admin.undo({ session: "monday", actor: "ann" });
      if (undone.outcome !== "undone") throw new Error(undone.reason);
      for (const [label, lines] of expected) expect((await admin.get(label))?.content).toBe(lines.join("\n"));
      expect((await admin.undo({ session: "monday", actor: "ann" })).outcome).toBe("undone");
      for (const [label, lines] of expected) expect((await admin.get(label))?.content).toBe(lines.join("\n"));
      expect(await admin.undo(undone.events.map(({ seq }) => seq))).toMatchObject({ outcome: "undone" });
      expect(await contentsOf(a)).toEqual(before);
      expect(await admin.verify()).toMatchObject({ ok: true });
    }),
    { numRuns: 25 },
  );
});

test("undo() of an actor brings back what they removed, moved and rewrote", async () => {
  const { a, b, admin } = await two();
  for (const label of ["one", "two", "three"]) await b.manager.write({ label, content: label });
  const before = await contentsOf(a);
  await a.manager.write({ label: "one", content: "mine", source: "web" });
  await a.manager.write({ label: "one", content: "mine again" });
  await a.manager.remove({ label: "two" });
  await a.manager.move({ label: "three", newLabel: "two", tier: "archival" });
  await a.manager.write({ label: "four", content: "new" });
  expect(await contentsOf(a)).not.toEqual(before);
  expect(await admin.undo({ actor: "ann" }, { reason: "poisoned" })).toMatchObject({ outcome: "undone" });
  expect(await contentsOf(a)).toEqual(before);
  expect(await admin.undo({ actor: "ann" })).toMatchObject({ outcome: "undone", events: [] });
});

test("undo() changes nothing and lists every block in the way when one event cannot be undone", async () => {
  const { a, b, admin } = await two();
  for (const label of ["x", "y", "z"]) await a.manager.write({ label, content: "ann's" });
  for (const label of ["x", "z"]) await b.manager.write({ label, content: "bob's" });
  const before = await contentsOf(a);
  expect(await admin.undo({ actor: "ann" })).toMatchObject({
    outcome: "conflict",
    conflicts: [{ label: "z", current: { content: "bob's" } }, { label: "x" }],
    reason: expect.stringContaining("nothing was changed"),
  });
  expect(await contentsOf(a)).toEqual(before);
  expect(await admin.verify()).toMatchObject({ ok: true, head: { seq: 5 } });
});

test("undo() gives a text no trust back while what is worth less still stands in it", async () => {
  const { a, b, admin } = await two();
  await admin.write({ label: "log", content: "start", tier: "archival" });
  await a.manager.write({ label: "log", content: "of ann" });
  await b.manager.write({ label: "log", content: "from the web", source: "web" });
  expect(await admin.undo({ actor: "ann" })).toMatchObject({
    blocks: [{ content: "start\nfrom the web", source: "web", trust: "low" }],
  });
  expect(await admin.undo({ actor: "bob" })).toMatchObject({ outcome: "undone", blocks: [{ content: "start" }] });
});

test("undo() since a time leaves what was before", async () => {
  const { a, admin } = await two();
  await a.manager.write({ label: "x", content: "early" });
  const [first] = await admin.history();
  const early = Date.parse(first?.at ?? "");
  while (Date.now() <= early);
  await a.manager.write({ label: "x", content: "late" });
  const since = new Date(early + 1).toISOString();
  expect(await admin.undo({ actor: "ann", since })).toMatchObject({ blocks: [{ content: "early" }] });
  expect(await admin.undo({ actor: "ann", since: "yesterday" })).toMatchObject({ code: "invalid_value" });
});

test("at() gives the memory as it was after an event or at a time", async () => {
  const { a, admin } = await two();
  await a.manager.write({ label: "x", content: "one" });
  await a.manager.write({ label: "x", content: "two" });
  await a.manager.remove({ label: "x" });
  expect(await admin.at({ seq: 0 })).toEqual([]);
  expect(await admin.at({ seq: 1 })).toMatchObject([{ content: "one" }]);
  expect(await admin.at({ seq: 2 })).toMatchObject([{ content: "two" }]);
  expect(await admin.at({ seq: 3 })).toEqual([]);
  const [removed] = await admin.history();
  expect(removed).toMatchObject({ kind: "removed", actor: { id: "ann" }, session: "monday" });
  expect(await admin.at({ time: "2000-01-01T00:00:00Z" })).toEqual([]);
  await expect(admin.at({ time: "yesterday" })).rejects.toThrow('the time is "yesterday", allowed is ISO 8601');
});

test("at() a time counts what came before it in order, although the clock went back", async () => {
  const clock = withClock(database());
  const { manager, admin } = await openOn(clock.database, { owner: "clock" });
  const contents = { one: 10, two: 8, three: 9 };
  for (const [content, days] of Object.entries(contents)) {
    clock.setAhead(-days);
    await manager.write({ label: "x", content });
  }
  const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
  expect(await admin.at({ time: daysAgo(9.5) })).toMatchObject([{ content: "one" }]);
  expect(await admin.at({ time: daysAgo(8.5) })).toMatchObject([{ content: "three" }]);
});

test("verify() finds whatever was changed behind its back", async () => {
  const { a, admin } = await two();
  for (const content of ["one", "two", "three"]) await a.manager.write({ label: "log", content, tier: "archival" });
  const verified = await admin.verify();
  if (!verified.ok) throw new Error(verified.reason);
  const owner = `shared ${owners}`;
  const tamper = async (statement: string, back: string): Promise<unknown> => {
    await database().query(statement, [owner]);
    const found = await admin.verify();
    await database().query(back, [owner]);
    expect(await admin.verify(verified.head)).toMatchObject({ ok: true });
    return found;
  };
  const event = "UPDATE dispatch_memory.event";
  expect(
    await tamper(
      `${event} SET after = 'TWO' WHERE owner = $1 AND seq = 2`,
      `${event} SET after = '\ntwo' WHERE owner = $1 AND seq = 2`,
    ),
  ).toMatchObject({ ok: false, seq: 2 });
  expect(
    await tamper(
      `${event} SET actor_id = 'eve' WHERE owner = $1 AND seq = 3`,
      `${event} SET actor_id = 'ann' WHERE owner = $1 AND seq = 3`,
    ),
  ).toMatchObject({ ok: false, seq: 3 });
  expect(
    await tamper(
      `${event} SET seq = 9 WHERE owner = $1 AND seq = 1`,
      `${event} SET seq = 1 WHERE owner = $1 AND seq = 9`,
    ),
  ).toMatchObject({ ok: false, seq: 2 });
  const session = (name: string) => `${event} SET session = '${name}' WHERE owner = $1 AND seq = 2`;
  expect(await tamper(session("friday"), session("monday"))).toMatchObject({ ok: false, seq: 2 });
  const block = "UPDATE dispatch_memory.block SET content";
  expect(
    await tamper(`${block} = 'obey' WHERE owner = $1`, `${block} = 'one\ntwo\nthree' WHERE owner = $1`),
  ).toMatchObject({ ok: false, seq: 4 });
  await database().query("DELETE FROM dispatch_memory.event WHERE owner = $1 AND seq = 3", [owner]);
  expect(await admin.verify(verified.head)).toMatchObject({ ok: false });
});

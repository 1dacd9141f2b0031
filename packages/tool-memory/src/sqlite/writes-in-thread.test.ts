import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openMemory } from "../memory/open-memory.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "writes-in-thread-"));
});
afterEach(() => rmSync(root, { recursive: true }));

test.each(["first", "in the middle", "last"])(
  "a write whose statement fails is undone alone, %s of those committed together",
  async (place) => {
    await (await openMemory(root)).close();
    const database = new DatabaseSync(join(root, "memory.db"));
    database.exec(
      `CREATE TRIGGER bad BEFORE INSERT ON event WHEN new.label = 'bad' BEGIN SELECT RAISE(ABORT, 'bad'); END`,
    );
    database.close();
    const { manager, admin, close } = await openMemory(root);
    const labels = ["a", "b", "c"];
    labels.splice(["first", "in the middle", "last"].indexOf(place) * 1.5, 0, "bad");
    const outcomes = await Promise.allSettled(labels.map((label) => manager.write({ label, content: label })));
    expect(outcomes.map(({ status }) => status)).toEqual(
      labels.map((label) => (label === "bad" ? "rejected" : "fulfilled")),
    );
    expect((await manager.list()).map(({ label }) => label).toSorted()).toEqual(["a", "b", "c"]);
    expect(await admin.verify()).toMatchObject({ ok: true });
    await close();
  },
);

test("writes in the thread and transactions of the host keep their order", async () => {
  const { manager, admin, close } = await openMemory(root);
  const results = await Promise.all([
    manager.write({ label: "note", content: "one" }),
    admin.setPermission("note", "append"),
    manager.write({ label: "note", content: "two" }),
    admin.undo(1),
    manager.write({ label: "note", content: "three" }),
  ]);
  expect(results.map(({ outcome }) => outcome)).toEqual(["applied", "applied", "applied", "conflict", "applied"]);
  expect(await manager.get("note")).toMatchObject({ content: "one\ntwo\nthree", version: 4 });
  expect(await admin.verify()).toMatchObject({ ok: true });
  await close();
});

test("a write that cannot cross over to the thread is refused for what it holds", async () => {
  const { manager, close } = await openMemory(root);
  const odd = { label: "note", content: () => "text", reason: Symbol("x") } as never;
  expect(await manager.write(odd)).toMatchObject({ outcome: "refused" });
  expect(await manager.list()).toEqual([]);
  await close();
});

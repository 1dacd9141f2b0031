import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database, Query } from "../database/database.ts";
import { openDirectory } from "./sqlite-database.ts";

let root: string;
let database: Database;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "transaction-queue-"));
  database = await openDirectory(root);
});
afterEach(async () => {
  await database.close();
  rmSync(root, { recursive: true });
});

const add = (tx: Pick<Query, "change">, owner: string): Promise<void> =>
  tx.change({
    parts: [{ name: "added", text: "INSERT INTO dispatch_memory.owner (owner) VALUES ($1)" }],
    params: [owner],
  });
async function owners(): Promise<readonly string[]> {
  const rows = await database.query<{ owner: string }>("SELECT owner FROM dispatch_memory.owner ORDER BY owner");
  return rows.map(({ owner }) => owner);
}

test.each(["first", "in the middle", "last"])(
  "a change that fails undoes its own transaction alone, %s of those committed together",
  async (place) => {
    await database.transaction((tx) => add(tx, "taken"));
    const names = ["a", "b", "c"];
    names.splice(["first", "in the middle", "last"].indexOf(place) * 1.5, 0, "taken");
    const outcomes = await Promise.allSettled(
      names.map((name) =>
        database.transaction(async (tx) => {
          await tx.query("UPDATE dispatch_memory.owner SET blocks = blocks + 1 WHERE owner = 'taken'");
          await add(tx, name);
          return name;
        }),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      names.map((name) => (name === "taken" ? "rejected" : "fulfilled")),
    );
    expect(await owners()).toEqual(["a", "b", "c", "taken"]);
    expect(await database.query("SELECT blocks FROM dispatch_memory.owner WHERE owner = 'taken'")).toEqual([
      { blocks: 3 },
    ]);
  },
);

test("a transaction that fails before its first statement, or with a change not yet sent, leaves the others as they are", async () => {
  const fail = async (): Promise<never> => {
    throw new Error("no");
  };
  const outcomes = await Promise.allSettled([
    database.transaction((tx) => add(tx, "a")),
    database.transaction(fail),
    database.transaction(async (tx) => {
      await add(tx, "gone");
      return fail();
    }),
    database.transaction(async (tx) => {
      await add(tx, "sent");
      await tx.query("SELECT 1 AS one");
      return fail();
    }),
    database.transaction((tx) => add(tx, "b")),
    database.transaction(fail),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "rejected",
    "rejected",
    "fulfilled",
    "rejected",
  ]);
  expect(await owners()).toEqual(["a", "b"]);
  await database.transaction((tx) => add(tx, "c"));
  expect(await owners()).toEqual(["a", "b", "c"]);
});

test("statements of a transaction see its changes, in their order", async () => {
  const seen = await database.transaction(async (tx) => {
    const count = "SELECT count(*) AS count FROM dispatch_memory.owner";
    await add(tx, "a");
    await add(tx, "b");
    const early = tx.query(count);
    await add(tx, "c");
    return [await early, await tx.query(count)];
  });
  expect(seen).toEqual([[{ count: 2 }], [{ count: 3 }]]);
});

test("statements sent at once wait together while another process writes", async () => {
  const other = await openDirectory(root);
  const isLocked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = other.transaction(async (tx) => {
    await tx.query("UPDATE dispatch_memory.owner SET blocks = 0");
    isLocked.resolve();
    await held.promise;
    await add(tx, "first");
  });
  await isLocked.promise;
  const select = "SELECT owner FROM dispatch_memory.owner";
  const reading = database.transaction((tx) => Promise.all([tx.query(select), tx.query(select)]));
  await database.query("SELECT 1 AS one");
  held.resolve();
  await holding;
  expect(await reading).toEqual([[{ owner: "first" }], [{ owner: "first" }]]);
  await other.close();
});

import { beforeAll, describe, expect, test } from "vitest";
import { replayEvents } from "../src/block/memory-event.ts";
import type { Memory } from "../src/memory/open-memory.ts";
import { engines, isServer, missingServers } from "./engines.ts";
import { useEngine } from "./use-engine.ts";

// oxlint-disable-next-line vitest/expect-expect -- stands for the tests on a server that is not there
test.for(missingServers)("%s is tried too", (name, { skip }) => skip(`no server: ${name}`));

/** The requirements on a database and the behaviour of the memory: the same on every engine. */
describe.each(engines)("$name", (engine) => {
  const { database, open } = useEngine(engine);
  let owners = 0;
  const openOwner = (owner = `owner ${++owners}`, actor = "agent"): Promise<Memory> => open({ owner, actor });

  beforeAll(async () => {
    await database().query("CREATE TABLE dispatch_memory.contract (n integer PRIMARY KEY, text text)");
  });

  test("answers values alike", async ({ skip }) => {
    skip(!isServer(engine), "SQLite has none of these types");
    const [row] = await database().query(
      `SELECT 1::bigint AS big, 2::integer AS small, 0.5::float8 AS half, true AS yes, NULL AS nothing, $1::text AS text,
         $2::integer + 1 AS sum, '2026-01-02T03:04:05.678Z'::timestamptz::date AS day, ARRAY['a', 'b'] AS list, '{"a":[1]}'::jsonb AS json`,
      ["it's \\ \n ü €", 41],
    );
    expect(row).toEqual({
      big: 1,
      small: 2,
      half: 0.5,
      yes: true,
      nothing: null,
      text: "it's \\ \n ü €",
      sum: 42,
      day: "2026-01-02",
      list: ["a", "b"],
      json: { a: [1] },
    });
  });

  test("commits a transaction as a whole, or nothing of it", async () => {
    await database().transaction(async (tx) => {
      await tx.query("INSERT INTO dispatch_memory.contract (n, text) VALUES ($1, $2)", [1, "kept"]);
    });
    const failed = database().transaction(async (tx) => {
      await tx.query("INSERT INTO dispatch_memory.contract (n, text) VALUES ($1, $2)", [2, "lost"]);
      throw new Error("changed my mind");
    });
    await expect(failed).rejects.toThrow("changed my mind");
    const twice = database().transaction(async (tx) => {
      await tx.query("INSERT INTO dispatch_memory.contract (n, text) VALUES ($1, $2)", [3, "lost"]);
      await tx.query("INSERT INTO dispatch_memory.contract (n, text) VALUES ($1, $2)", [1, "twice"]);
    });
    await expect(twice).rejects.toThrow(/unique/i);
    const swallowed = database().transaction(async (tx) => {
      await tx.query("INSERT INTO dispatch_memory.contract (n, text) VALUES ($1, $2)", [4, "lost"]);
      await tx.query("SELECT nonsense").catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow("");
    expect(await database().query("SELECT n, text FROM dispatch_memory.contract ORDER BY n")).toEqual([
      { n: 1, text: "kept" },
    ]);
    await database().query("DELETE FROM dispatch_memory.contract");
  });

  test("refuses statements that are wrong, and goes on", async () => {
    await expect(database().query("SELECT nonsense")).rejects.toThrow(/nonsense/);
    await expect(database().query("INSERT INTO nonsense VALUES (1)")).rejects.toThrow(/nonsense/);
    expect(await database().query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test("runs the same statement again with other values, and statements side by side", async () => {
    for (let n = 0; n < 7; n++) {
      await database().transaction((tx) =>
        tx.query("INSERT INTO dispatch_memory.contract (n, text) VALUES ($1, $2)", [n, n % 2 ? null : "even"]),
      );
    }
    const counts = await database().transaction((tx) =>
      Promise.all(
        [0, 3, 6].map((n) => tx.query("SELECT count(text) AS texts FROM dispatch_memory.contract WHERE n <= $1", [n])),
      ),
    );
    expect(counts).toEqual([[{ texts: 1 }], [{ texts: 2 }], [{ texts: 4 }]]);
    await database().query("DELETE FROM dispatch_memory.contract");
  });

  test("loses no update of writers at the same time", async () => {
    const writers = await Promise.all(["a", "b", "c"].map((actor) => openOwner("crowd", actor)));
    await writers[0]?.admin.write({ label: "log", content: "start", tier: "archival" });
    await Promise.all(
      writers.flatMap(({ manager }, at) =>
        Array.from({ length: 15 }, (_, n) => manager.write({ label: "log", content: `${at}.${n}` })),
      ),
    );
    const results = await Promise.all(
      writers.map(({ manager }) => manager.write({ label: "mine", content: "new", expectVersion: 0 })),
    );
    expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(["applied", "conflict", "conflict"]);
    const { blocks, events } = await (await openOwner("crowd")).admin.export();
    expect(blocks.find(({ label }) => label === "log")?.content.split("\n")).toHaveLength(46);
    expect(replayEvents(events)).toEqual(blocks);
  });

  test("carries a memory from the agent's proposal to its undoing", async () => {
    const { manager, admin } = await openOwner();
    const queued = await manager.write({ label: "persona", content: "I am Ada", tier: "core" });
    expect(queued).toMatchObject({ outcome: "queued" });
    const [waiting] = await admin.pending();
    expect(await admin.approve(waiting?.id ?? "")).toMatchObject({ outcome: "applied" });
    expect(await manager.write({ label: "tea", content: "Prefers green tea in the morning" })).toMatchObject({
      outcome: "applied",
    });
    expect(await manager.search("morning teas")).toMatchObject([{ label: "tea" }]);
    expect((await manager.list()).map(({ label }) => label)).toEqual(["persona", "tea"]);
    const [latest] = await admin.history();
    expect(await admin.undo(latest?.seq ?? 0)).toMatchObject({ outcome: "undone" });
    expect((await manager.list()).map(({ label }) => label)).toEqual(["persona"]);
    await admin.forget("tea");
    expect(await manager.search("tea")).toEqual([]);
  });

  test("keeps owners apart", async () => {
    const [one, two] = [await openOwner(), await openOwner()];
    await one.manager.write({ label: "secret", content: "of one" });
    expect(await two.manager.list()).toEqual([]);
    expect(await two.manager.search("secret")).toEqual([]);
    expect(await two.admin.history()).toEqual([]);
  });
});

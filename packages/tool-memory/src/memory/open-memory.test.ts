import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startChild } from "../../test/child.ts";
import type { Database, Query } from "../database/database.ts";
import { openMemory, toClosableDatabase } from "./open-memory.ts";

const writeForever = new URL("../../test/write-forever.ts", import.meta.url);

/** One directory for all tests, in their order. */
let root: string;
let directory: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "open-memory-"));
  directory = join(root, "memory");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("openMemory() makes a directory for its user alone, and leaves one file in it", async () => {
  const { manager, admin, close } = await openMemory(directory);
  await manager.write({ label: "notes", content: "likes tea" });
  await admin.write({ label: "persona", content: "I am Ada", tier: "core" });
  await manager.write({ label: "persona", content: "I am Eve" });
  await close();
  expect(readdirSync(directory)).toEqual(["memory.db"]);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test("openMemory() finds blocks, events and proposals again, by path or by URL", async () => {
  const { manager, admin, close } = await openMemory(pathToFileURL(directory).href);
  expect(await manager.search("tea")).toMatchObject([{ label: "notes", content: "likes tea" }]);
  expect(await admin.history()).toHaveLength(2);
  const [proposal] = await admin.pending();
  expect(await admin.approve(proposal?.id ?? "")).toMatchObject({
    outcome: "applied",
    block: { content: "I am Eve" },
  });
  await close();
});

test("openMemory() keeps owners of one directory apart", async () => {
  const other = await openMemory(directory, { owner: "other" });
  expect(await other.manager.list()).toEqual([]);
  await other.close();
});

test.each(["with space", "50%", "a?b#c", "ünï'code"])("openMemory() opens a directory named %s", async (name) => {
  const { manager, close } = await openMemory(join(root, "names", name));
  await manager.write({ label: "a", content: "x" });
  await close();
  expect(readdirSync(join(root, "names", name))).toEqual(["memory.db"]);
});

test("several memories and processes use one directory at the same time, and one that is killed holds nobody up", async () => {
  const first = await openMemory(directory, { owner: "shared" });
  const second = await openMemory(directory, { owner: "shared" });
  await first.manager.write({ label: "a", content: "by the first" });
  await second.manager.write({ label: "b", content: "by the second" });
  expect(await first.manager.search("second")).toMatchObject([{ label: "b" }]);
  expect(await second.manager.search("first")).toMatchObject([{ label: "a" }]);
  await first.close();
  await second.manager.write({ label: "c", content: "by the second, alone" });
  await second.close();

  const child = startChild(writeForever, directory, "shared");
  await child.printed(2);
  const third = await openMemory(directory);
  expect(await third.admin.get("counter shared")).not.toBeNull();
  child.process.kill("SIGKILL");
  const done = third.manager.write({ label: "after", content: "the kill" });
  expect(await done).toMatchObject({ outcome: "applied" });
  await child.ended;
  await third.close();
});

test("openMemory() finds every write that was acknowledged before the writer was killed", async () => {
  for (const round of ["1", "2", "3"]) {
    const child = startChild(writeForever, directory, round);
    await child.printed(15 + 5 * Number(round) + 1);
    child.process.kill("SIGKILL");
    await child.ended;
    const acknowledged = Number(child.lines.at(-1));
    const { admin, close } = await openMemory(directory);
    const lines = (await admin.get(`round ${round}`))?.content.split("\n") ?? [];
    const counter = Number((await admin.get(`counter ${round}`))?.content);
    await close();
    expect(acknowledged).toBeGreaterThanOrEqual(20);
    expect(lines.slice(0, acknowledged)).toEqual(Array.from({ length: acknowledged }, (_, n) => `line ${n + 1}`));
    expect(counter).toBeGreaterThanOrEqual(acknowledged);
    expect(counter).toBeLessThanOrEqual(acknowledged + 1);
  }
});

test("close() waits for what is under way, then everything fails with memory_closed", async () => {
  const { manager, admin, close } = await openMemory(directory);
  const writes = Promise.all(Array.from({ length: 10 }, (_, n) => manager.write({ label: `late ${n}`, content: "x" })));
  await Promise.all([close(), close()]);
  expect((await writes).map(({ outcome }) => outcome)).toEqual(Array(10).fill("applied"));
  await expect(manager.list()).rejects.toMatchObject({ code: "memory_closed" });
  await expect(admin.pending()).rejects.toMatchObject({ code: "memory_closed" });
});

test("openMemory(':memory:') keeps nothing", async () => {
  const first = await openMemory(":memory:");
  await first.manager.write({ label: "a", content: "tea" });
  expect(await first.manager.search("tea")).toHaveLength(1);
  await first.close();
  const second = await openMemory(":memory:");
  expect(await second.manager.list()).toEqual([]);
  await second.close();
});

test.each(["http://example.com", "idb://memory", "memory://", "", "a\0b"])(
  "openMemory() refuses the URL %j",
  async (url) => {
    await expect(openMemory(url)).rejects.toMatchObject({
      code: "memory_url",
    });
  },
);

test.each([
  { owner: "" },
  { actor: "x".repeat(201) },
  { person: "a\0b" },
  { limits: { blocks: 0 } },
  { limits: { contentChars: 60_000 } },
  { permissions: { core: "root" } },
] as object[])("openMemory() refuses the options %j before it touches anything", async (options) => {
  const untouched = join(root, "untouched");
  await expect(openMemory(untouched, options)).rejects.toMatchObject({ code: "memory_options" });
  expect(readdirSync(root)).not.toContain("untouched");
});

test("openMemory() says how to move a directory of before the first release, and leaves it as it is", async () => {
  const old = join(root, "old");
  await (await openMemory(old)).close();
  const database = new DatabaseSync(join(old, "memory.db"));
  database.exec("PRAGMA user_version = 5");
  database.close();
  for (let n = 0; n < 2; n++)
    await expect(openMemory(old)).rejects.toMatchObject({
      code: "memory_version",
      message: expect.stringContaining("import"),
    });
});

test("openMemory() names no path in an error", async () => {
  const file = join(root, "a-file");
  writeFileSync(file, "");
  for (const url of [file, join(file, "below")]) {
    const error: unknown = await openMemory(url).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "memory_storage", message: expect.not.stringContaining("a-file") });
  }
  expect(readFileSync(file, "utf8")).toBe("");
});

test("toClosableDatabase() closes once, after what is under way has ended, well or badly", async () => {
  const steps: string[] = [];
  const held = Promise.withResolvers<void>();
  const tx = { query: async () => [], change: async () => undefined } as unknown as Query;
  const closable = toClosableDatabase({
    ...tx,
    async transaction(work) {
      await held.promise;
      steps.push("transaction");
      return work(tx);
    },
    reclaim: async () => undefined,
    async close() {
      steps.push("close");
    },
  } as Database);
  const good = closable.transaction(async () => "done");
  const bad = closable.transaction(async () => {
    throw new Error("rolled back");
  });
  const closed = [closable.close(), closable.close()];
  await expect(closable.query("SELECT 1")).rejects.toMatchObject({ code: "memory_closed" });
  await expect(closable.reclaim()).rejects.toMatchObject({ code: "memory_closed" });
  expect(steps).toEqual([]);
  held.resolve();
  expect(await good).toBe("done");
  await expect(bad).rejects.toThrow("rolled back");
  await Promise.all(closed);
  expect(steps).toEqual(["transaction", "transaction", "close"]);
});

import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startChild } from "../../test/child.ts";
import { openPglite } from "../database/pglite-sql.ts";
import { openMemory } from "./open-memory.ts";

const writeForever = new URL("../../test/write-forever.ts", import.meta.url);

/** One directory for all tests, in their order: the first start takes seconds. */
let root: string;
let directory: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "open-memory-"));
  directory = join(root, "memory");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("openMemory() starts over when a first start was killed halfway", async () => {
  mkdirSync(join(directory, "pg.new", "base"), { recursive: true });
  writeFileSync(join(directory, "pg.new", "PG_VERSION"), "18\n");
  const { manager, steward, close } = await openMemory(directory);
  await manager.write({ label: "notes", content: "likes tea" });
  await steward.write({ label: "persona", content: "I am Ada", tier: "core" });
  await manager.write({ label: "persona", content: "I am Eve" });
  await close();
  expect(readdirSync(directory).toSorted()).toEqual(["lock.1", "pg", "run"]);
  expect(statSync(root).isDirectory()).toBe(true);
});

test("openMemory() finds blocks, events and proposals again, by path or by URL", async () => {
  const { manager, steward, close } = await openMemory(pathToFileURL(directory).href);
  expect(await manager.read("tea")).toMatchObject([{ label: "notes", content: "likes tea" }]);
  expect(await steward.history()).toHaveLength(2);
  const [proposal] = await steward.pending();
  expect(await steward.approve(proposal?.id ?? "")).toMatchObject({
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

test("openMemory() serves a directory to whoever opens it later, and the directory goes to them when the leader ends or is killed", async () => {
  const first = await openMemory(directory, { owner: "shared" });
  const second = await openMemory(directory, { owner: "shared" });
  await first.manager.write({ label: "a", content: "by the first" });
  await second.manager.write({ label: "b", content: "by the second" });
  expect(await first.manager.read("second")).toMatchObject([{ label: "b" }]);
  expect(await second.manager.read("first")).toMatchObject([{ label: "a" }]);
  await first.close();
  await second.manager.write({ label: "c", content: "by the second, alone" });
  await second.close();

  const child = startChild(writeForever, directory, "shared");
  await child.printed(2);
  const third = await openMemory(directory);
  expect(await third.steward.get("counter shared")).not.toBeNull();
  child.process.kill("SIGKILL");
  const done = third.manager.write({ label: "after", content: "the kill" });
  expect(await done).toMatchObject({ outcome: "applied" });
  await child.ended;
  await third.close();
}, 120_000);

test("openMemory() lets its user alone connect to a directory that is open", async () => {
  const { close } = await openMemory(directory);
  expect(statSync(join(directory, "run")).mode & 0o777).toBe(0o700);
  expect(statSync(join(directory, "run", "sock")).mode & 0o777).toBe(0o600);
  await close();
});

test("openMemory() finds every write that was acknowledged before the writer was killed", async () => {
  for (const round of ["1", "2", "3"]) {
    const child = startChild(writeForever, directory, round);
    await child.printed(15 + 5 * Number(round) + 1);
    child.process.kill("SIGKILL");
    await child.ended;
    const acknowledged = Number(child.lines.at(-1));
    const { steward, close } = await openMemory(directory);
    const lines = (await steward.get(`round ${round}`))?.content.split("\n") ?? [];
    const counter = Number((await steward.get(`counter ${round}`))?.content);
    await close();
    expect(acknowledged).toBeGreaterThanOrEqual(20);
    expect(lines.slice(0, acknowledged)).toEqual(Array.from({ length: acknowledged }, (_, n) => `line ${n + 1}`));
    expect(counter).toBeGreaterThanOrEqual(acknowledged);
    expect(counter).toBeLessThanOrEqual(acknowledged + 1);
  }
}, 120_000);

test("forget() leaves nothing in the files", async () => {
  const secret = "zqxjkvbpzq";
  const { manager, steward, close } = await openMemory(directory);
  for (let n = 0; n < 5; n++)
    await manager.write({
      label: "secret",
      content: `${secret} ${n} ${Array.from({ length: 500 }, Math.random).join(" ")}`,
    });
  await manager.write({ label: "other", content: `${secret}, proposed`, tier: "core" });
  expect(filesWith(secret)).not.toEqual([]);
  await steward.forget("secret");
  await steward.forget("other");
  expect(filesWith(secret)).toEqual([]);
  await close();
  expect(filesWith(secret)).toEqual([]);
}, 120_000);

test("close() waits for what is under way, then everything fails with memory_closed", async () => {
  const { manager, steward, close } = await openMemory(directory);
  const writes = Promise.all(Array.from({ length: 10 }, (_, n) => manager.write({ label: `late ${n}`, content: "x" })));
  await Promise.all([close(), close()]);
  expect((await writes).map(({ outcome }) => outcome)).toEqual(Array(10).fill("applied"));
  await expect(manager.list()).rejects.toMatchObject({ code: "memory_closed" });
  await expect(steward.pending()).rejects.toMatchObject({ code: "memory_closed" });
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

test("openMemory() refuses data of a newer shape, and lets the directory go", async () => {
  const sql = await openPglite(join(directory, "pg"));
  await sql.query("INSERT INTO dispatch_memory.migration (number) VALUES (999)");
  await sql.close();
  for (let n = 0; n < 2; n++) await expect(openMemory(directory)).rejects.toMatchObject({ code: "memory_version" });
});

function filesWith(text: string): readonly string[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name)).filter((file) => readFileSync(file).includes(text));
}

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMemoryOn, openMemory } from "../memory/open-memory.ts";
import { openDirectory, openSqlite } from "./sqlite-database.ts";

let root: string;
let directory: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "open-directory-"));
  directory = join(root, "memory");
});
afterEach(() => rmSync(root, { recursive: true }));

/** A memory with some blocks and their vectors, closed. */
async function write(): Promise<void> {
  const { manager, settled, close } = await openMemory(directory);
  for (let n = 0; n < 30; n++) await manager.write({ label: `n${n}`, content: `tea number ${n} ${"x".repeat(500)}` });
  await settled();
  await close();
}

test("a copy of a directory that is open opens at once", async () => {
  const { manager, close } = await openMemory(directory);
  await manager.write({ label: "a", content: "tea" });
  cpSync(directory, join(root, "copy"), { recursive: true });
  const copy = await openMemory(join(root, "copy"));
  expect(await copy.manager.search("tea")).toMatchObject([{ label: "a" }]);
  expect(await copy.admin.verify()).toMatchObject({ ok: true });
  await Promise.all([copy.close(), close()]);
});

test.each(["closed", "left open"])(
  "a read-only directory that was %s can be read, searched and verified",
  async (how) => {
    await write();
    const other = how === "left open" ? await openMemory(directory) : undefined;
    await other?.manager.write({ label: "late", content: "tea of the log" });
    const database = await openSqlite({ file: join(directory, "memory.db"), isReadOnly: true });
    const { manager, admin, close } = await createMemoryOn(database, {});
    const hits = await manager.search("tea number 7");
    expect([hits[0]?.label, hits.degraded]).toEqual(["n7", undefined]);
    expect(await manager.search("late")).toHaveLength(other === undefined ? 0 : 1);
    expect(await admin.verify()).toMatchObject({ ok: true });
    expect((await admin.export()).blocks).toHaveLength(other === undefined ? 30 : 31);
    await expect(manager.write({ label: "a", content: "x" })).rejects.toMatchObject({
      code: "memory_read_only",
      message: expect.stringContaining("writable"),
    });
    await close();
    await other?.close();
    if (how === "closed") expect(readdirSync(directory)).toEqual(["memory.db"]);
  },
);

test("a full disk gives a clear error, loses nothing, and writing goes on when there is room", async () => {
  const database = await openDirectory(directory);
  const { manager, admin, close } = await createMemoryOn(database, { embedder: "none" });
  await manager.write({ label: "a", content: "kept" });
  await database.query("PRAGMA dispatch_memory.max_page_count = 1");
  const large = (n: number) => manager.write({ label: `large ${n}`, content: "x ".repeat(8_000) });
  const outcomes = await Promise.allSettled([1, 2, 3].map(large));
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "memory_storage", message: /full/ } });
  expect((await manager.list()).map(({ label }) => label)).toEqual(["a"]);
  await database.query("PRAGMA dispatch_memory.max_page_count = 100000");
  expect(await large(4)).toMatchObject({ outcome: "applied" });
  expect(await admin.verify()).toMatchObject({ ok: true });
  await close();
});

test("data of a newer shape is refused at once, on opening and beside it", async () => {
  const { manager, close } = await openMemory(directory);
  await manager.write({ label: "a", content: "x" });
  const newer = await openDirectory(directory);
  await newer.query("PRAGMA dispatch_memory.user_version = 999");
  await expect(manager.write({ label: "b", content: "x" })).rejects.toMatchObject({ code: "memory_version" });
  for (let n = 0; n < 2; n++) await expect(openMemory(directory)).rejects.toMatchObject({ code: "memory_version" });
  await Promise.all([newer.close(), close()]);
});

test("a file that is no database, and one of no bytes", async () => {
  await write();
  const file = join(directory, "memory.db");
  writeFileSync(file, "this is not a database ".repeat(500));
  await expect(openMemory(directory)).rejects.toMatchObject({ code: "memory_damaged" });
  writeFileSync(file, "");
  const { manager, close } = await openMemory(directory);
  expect(await manager.list()).toEqual([]);
  await close();
});

test("verify() finds a damaged page, wherever it is", async () => {
  await write();
  const file = join(directory, "memory.db");
  const whole = readFileSync(file);
  const pages = statSync(file).size / 4096;
  const undetected: number[] = [];
  for (let page = 2; page < pages; page += Math.ceil(pages / 10)) {
    const damaged = Buffer.from(whole);
    damaged.fill(0xaa, page * 4096, page * 4096 + 300);
    if (damaged.equals(whole)) continue;
    writeFileSync(file, damaged);
    const found = await openMemory(directory)
      .then(async ({ admin, close }) => (await admin.verify().finally(close)).ok)
      .catch((error: unknown) => (error as { code?: unknown }).code !== "memory_damaged");
    if (found) undetected.push(page);
  }
  expect(undetected).toEqual([]);
});

test("after a crash a damaged file is refused on opening", async () => {
  await write();
  const { manager, close } = await openMemory(directory);
  await manager.write({ label: "late", content: "tea" });
  const crashed = join(root, "crashed");
  cpSync(directory, crashed, { recursive: true });
  await close();
  const file = join(crashed, "memory.db");
  const bytes = readFileSync(file);
  bytes.fill(0xaa, 4096 * 5, 4096 * 12);
  writeFileSync(file, bytes);
  await expect(openMemory(crashed)).rejects.toMatchObject({ code: "memory_damaged" });
});

test("backup() copies every owner while the memory is written, and never over another memory", async () => {
  const { manager, backup, close } = await openMemory(directory);
  const other = await openMemory(directory, { owner: "other" });
  await other.manager.write({ label: "b", content: "of another owner" });
  await manager.write({ label: "a", content: "tea" });
  const writes = Promise.all(Array.from({ length: 50 }, (_, n) => manager.write({ label: `n${n}`, content: "x" })));
  const copy = join(root, "deep", "copy");
  await backup(copy);
  await writes;
  await expect(backup(copy)).rejects.toMatchObject({ code: "memory_options" });
  expect(readdirSync(copy)).toEqual(["memory.db"]);
  for (const [owner, label] of [
    ["default", "a"],
    ["other", "b"],
  ] as const) {
    const opened = await openMemory(copy, { owner });
    expect(await opened.admin.get(label)).not.toBeNull();
    expect(await opened.admin.verify()).toMatchObject({ ok: true });
    await opened.close();
  }
  await Promise.all([other.close(), close()]);
});

test("reads go on while another process has the memory locked, and a write waits for its turn", async () => {
  await write();
  const { manager, close } = await openMemory(directory);
  const other = await openDirectory(directory);
  const isLocked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = other.transaction(async (tx) => {
    await tx.query("UPDATE dispatch_memory.owner SET seq = seq WHERE owner = $1", ["default"]);
    isLocked.resolve();
    await held.promise;
  });
  await isLocked.promise;
  let isWritten = false;
  const writing = manager.write({ label: "late", content: "x" }).then((result) => {
    isWritten = true;
    return result;
  });
  for (let n = 0; n < 20; n++) expect((await manager.search(`number ${n}`)).length).toBeGreaterThan(0);
  expect(isWritten).toBe(false);
  held.resolve();
  await holding;
  expect(await writing).toMatchObject({ outcome: "applied" });
  await Promise.all([other.close(), close()]);
});

test("verify() finds no damage where the index of words was merged since the last search", async () => {
  const { manager, admin, close } = await openMemory(directory);
  for (let n = 0; n < 60; n++) {
    await manager.write({ label: `n${n}`, content: `tea number ${n}` });
    if (n % 7 === 0) await manager.search("tea");
    expect(await admin.verify()).toMatchObject({ ok: true });
  }
  await close();
});

test.each<[string, () => void]>([
  ["its directory was deleted", () => rmSync(directory, { recursive: true })],
  [
    "its directory was deleted and made again",
    () => {
      rmSync(directory, { recursive: true });
      mkdirSync(directory);
    },
  ],
  ["its directory was moved", () => renameSync(directory, join(root, "elsewhere"))],
  ["its files were deleted", () => readdirSync(directory).forEach((name) => rmSync(join(directory, name)))],
  ["its log was deleted", () => rmSync(join(directory, "memory.db-wal"))],
  [
    "a copy took the place of its file",
    () => {
      cpSync(join(directory, "memory.db"), join(directory, "copy"));
      renameSync(join(directory, "copy"), join(directory, "memory.db"));
    },
  ],
])("a write is refused after %s while it was open, and what was kept can be exported", async (_, harm) => {
  const { manager, admin, close } = await openMemory(directory, { embedder: "none" });
  await manager.write({ label: "a", content: "tea" });
  harm();
  const late = { code: "memory_storage", message: expect.stringMatching(/deleted, moved or replaced.*export\(\)/u) };
  const writes = await Promise.allSettled(["b", "c"].map((label) => manager.write({ label, content: "late" })));
  for (const outcome of writes) expect(outcome).toMatchObject({ status: "rejected", reason: late });
  await expect(admin.forget({ label: "a" })).rejects.toMatchObject(late);
  expect((await admin.export()).blocks).toMatchObject([{ label: "a" }]);
  await close();
});

test("after its directory was deleted a memory opens again, new, and takes writes", async () => {
  const old = await openMemory(directory);
  await old.manager.write({ label: "a", content: "tea" });
  rmSync(directory, { recursive: true });
  const { manager, close } = await openMemory(directory);
  await manager.write({ label: "b", content: "tea" });
  await expect(old.manager.write({ label: "c", content: "late" })).rejects.toMatchObject({ code: "memory_storage" });
  await old.close();
  await manager.write({ label: "d", content: "tea" });
  expect((await manager.list()).map(({ label }) => label).toSorted()).toEqual(["b", "d"]);
  await close();
});

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMemoryOn } from "../memory/create-memory.ts";
import { openMemory } from "../memory/open-memory.ts";
import type { Embedder } from "../search/embedder.ts";
import { openSqlite } from "./sqlite-database.ts";

/** The embedder with which the fixture was written. */
const embedder: Embedder = {
  id: "letters",
  dimensions: 26,
  instant: true,
  embed: async (texts) =>
    texts.map((text) =>
      Array.from({ length: 26 }, (_, n) => text.toLowerCase().split(String.fromCodePoint(97 + n)).length - 1),
    ),
};

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "schema-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Writes the database that version 3 of the schema kept: two owners, each with 16 blocks, a proposal and 18 events. */
function writeVersion3(): void {
  const packed = readFileSync(new URL("../../test/__fixtures__/schema-3.db.gz", import.meta.url));
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "memory.db"), gunzipSync(packed));
}

test.each([embedder, "none"] as const)(
  "a database of version 3 is brought to the newest with all that it holds",
  async (chosen) => {
    writeVersion3();
    for (const owner of ["default", "ada"]) {
      const { manager, admin, settled, close } = await openMemory(directory, { owner, embedder: chosen });
      expect(await admin.verify()).toMatchObject({ ok: true, head: { seq: 18 } });
      expect(await manager.search(`number 7 said ${owner}`, { limit: 1 })).toMatchObject([{ label: "log/monday/7" }]);
      expect(await manager.search("Basel", { limit: 1 })).toMatchObject([{ label: "town" }]);
      expect(await manager.list({ tier: "core" })).toMatchObject([{ label: "persona" }]);
      expect(await admin.history("gone")).toMatchObject([{ kind: "removed" }, { kind: "created" }]);
      // Passages from before and after the change of shape go and come together.
      for (let n = 0; n < 90; n++) await manager.write({ label: `new/${n}`, content: `Fresh note ${n}` });
      await admin.remove("log/monday/7");
      await admin.forget({ label: "log/monday/8" });
      await settled();
      expect(await manager.search("number 8")).not.toMatchObject([{ label: "log/monday/8" }]);
      for (const n of [0, 63, 64, 89])
        expect(await manager.search(`fresh note ${n}`, { limit: 1 })).toMatchObject([{ label: `new/${n}` }]);
      const [waiting] = await admin.pending();
      await admin.approve(waiting?.id ?? "");
      expect(await admin.get("persona")).toMatchObject({ content: "I am Eve" });
      expect(await admin.verify()).toMatchObject({ ok: true });
      await close();
    }
  },
);

test("a database of version 3 that may not be written is refused, and how to mend that is said", async () => {
  writeVersion3();
  await expect(openSqlite({ file: join(directory, "memory.db"), isReadOnly: true })).rejects.toMatchObject({
    code: "memory_read_only",
    message: expect.stringContaining("make it writable and open it once"),
  });
});

/** A word that only one text has. */
function wordOf(n: number): string {
  return `z${String(n).replaceAll(/\d/gu, (digit) => "bdfghjklmn".charAt(Number(digit)))}q`;
}

test("search() finds a word in passages that the index has and in those it does not have yet", async () => {
  const { manager, admin, close } = await openMemory(directory);
  const other = await openMemory(directory, { owner: "other" });
  const kept = new Map<string, string>();
  for (let n = 0; n < 150; n++) {
    const label = wordOf(n % 70);
    const content = `shared x${wordOf(n)}`;
    await manager.write({ label, content });
    kept.set(label, content);
    if (n % 3 === 0) await other.manager.write({ label, content: `secret x${wordOf(n)}` });
    if (n % 11 === 10) {
      await manager.remove({ label: wordOf((n - 10) % 70) });
      kept.delete(wordOf((n - 10) % 70));
    }
  }
  for (const [label, content] of kept)
    expect(await manager.search(content.slice("shared ".length), { limit: 1 })).toMatchObject([{ label, content }]);
  expect(await manager.search("secret")).toEqual([]);
  expect(await manager.search(`x${wordOf(0)}`)).toEqual([]);
  expect(await manager.search("shared", { limit: 50 })).toHaveLength(50);
  expect(await admin.verify()).toMatchObject({ ok: true });
  const readOnly = await createMemoryOn(await openSqlite({ file: join(directory, "memory.db"), isReadOnly: true }), {});
  expect(await readOnly.manager.search(`x${wordOf(149)}`)).toMatchObject([{ content: `shared x${wordOf(149)}` }]);
  await Promise.all([readOnly.close(), other.close(), close()]);
});

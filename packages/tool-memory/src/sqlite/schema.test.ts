import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMemoryOn, openMemory } from "../memory/open-memory.ts";
import { openSqlite } from "./sqlite-database.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "schema-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

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

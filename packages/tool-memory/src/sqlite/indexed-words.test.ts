import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { MemoryError, openMemory, type Memory, type OpenMemoryOptions } from "../index.ts";
import { SUM_FUNCTIONS } from "./row-sums.ts";

let written: string;
/** A memory with all kinds of changes of an index: long notes, changes, removals, moves, forgotten notes, another owner. */
beforeAll(async () => {
  written = mkdtempSync(join(tmpdir(), "check-words-"));
  for (const owner of ["ada", "bob"] satisfies OpenMemoryOptions["owner"][]) {
    const { manager, admin, close } = await openMemory(written, { owner });
    for (let n = 0; n < 12; n++)
      await manager.write({ label: `note ${n}`, content: `tea number ${n}. ${"word ".repeat(n * 40)}` });
    for (let n = 0; n < 10; n++)
      await manager.write({ label: `note ${n}`, content: `coffee ${n} 会議 ${"long ".repeat(150)}` });
    await manager.remove({ label: "note 3" });
    await manager.move({ label: "note 4", newLabel: "moved/note" });
    await admin.forget("note 5");
    await manager.write({ label: "silence", content: "…" });
    await close();
  }
});
afterAll(() => rmSync(written, { recursive: true }));

/** A copy of it. */
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "check-words-"));
  cpSync(written, root, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

/** Changes the file behind the package's back and gives what `verify()` says. */
async function verifyAfter(statement: string): Promise<{ readonly ok: boolean; readonly reason?: string }> {
  const database = new DatabaseSync(join(root, "memory.db"));
  database.function("row_sum", { varargs: true }, SUM_FUNCTIONS.row_sum);
  database.exec(statement);
  database.close();
  const memory = await openMemory(root, { owner: "ada" }).catch((error: unknown) => error);
  // The bytes are not those that were written when it was closed, so it is checked whole when it is opened.
  if (MemoryError.isInstance(memory))
    return { ok: false, reason: `${memory.message}: ${(memory.cause as Error).message}` };
  const { admin, close } = memory as Memory;
  try {
    return await admin.verify();
  } finally {
    await close();
  }
}

test("verify() finds no fault in a memory with all kinds of changes", async () => {
  expect(await verifyAfter("SELECT 1")).toMatchObject({ ok: true });
});

test.each([
  ["a word of a passage", "UPDATE passage SET words = replace(words, 'tea', 'sea')"],
  [
    "a word of a passage that the index lacks",
    "UPDATE passage SET words = replace(words, 'sil', 'sal') WHERE id = (SELECT max(id) FROM passage)",
  ],
  ["the number of its words", "UPDATE passage SET length = length + 1 WHERE id = (SELECT max(id) FROM passage)"],
  ["where it begins", `UPDATE passage SET start = start + 1 WHERE ordinal = 1`],
  ["where it ends", `UPDATE passage SET "end" = "end" - 1 WHERE id = (SELECT max(id) FROM passage)`],
  ["that a block has passages", "DELETE FROM passage WHERE block_id = (SELECT id FROM block LIMIT 1)"],
  ["an entry of the index", "INSERT INTO word (rowid, words) VALUES (2, '1.spurious')"],
  ["the passage at which the index ends, to an earlier one", "UPDATE word_index SET last = last - 20"],
  ["the passage at which the index ends, to a later one", "UPDATE word_index SET last = last + 1000"],
  ["the passage at which the index ends, to none", "DELETE FROM word_index"],
  ["the number of blocks", "UPDATE owner SET blocks = blocks + 1"],
  ["the number of characters", "UPDATE owner SET characters = characters - 1"],
  ["the state in an event", `UPDATE event SET "is" = substr("is", 3) WHERE seq = 2`],
  ["since when a block is true", "UPDATE block SET valid_from = '2024-01-01T00:00:00.000Z' WHERE label = 'note 9'"],
])("verify() finds that %s was changed", async (_what, statement) => {
  expect(await verifyAfter(statement)).toMatchObject({ ok: false, reason: expect.any(String) });
});

test.each([
  ["a column", "ALTER TABLE word_index RENAME COLUMN last TO lost"],
  ["a table", "ALTER TABLE passage RENAME TO message"],
])("a file whose schema lost %s is called damaged", async (_what, statement) => {
  expect(await verifyAfter(statement)).toMatchObject({ ok: false, reason: expect.stringContaining("is damaged") });
});

test("close() ends after a failed transaction, whose end is still under way", async () => {
  const database = new DatabaseSync(join(root, "memory.db"));
  database.exec(`UPDATE event SET "is" = '{' WHERE seq = 1`);
  database.close();
  const { admin, close } = await openMemory(root, { owner: "ada" });
  await expect(admin.export()).rejects.toMatchObject({ code: "memory_damaged" });
  await close();
  const again = await openMemory(root, { owner: "ada" });
  expect((await again.manager.list()).length).toBeGreaterThan(0);
  await again.close();
});

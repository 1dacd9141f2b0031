import { expect, test } from "vitest";
import { openOn, sqlite } from "../../test/engines.ts";
import type { Changes, Database, Query } from "../database/database.ts";

/** Run once in some minutes, or read one end of an index. */
const rare =
  /NOT EXISTS \(SELECT 1 FROM dispatch_memory.passage|DELETE FROM dispatch_memory.embedding WHERE owner|max\(id\)/u;

/** Passes on what is asked, and keeps the texts of the statements. */
function toSpied(database: Database, texts: Set<string>): Database {
  const toQuery = (inner: Query): Query => ({
    ...inner,
    query: (text, params) => {
      texts.add(text);
      return inner.query(text, params);
    },
    change: (changes: Changes) => {
      for (const { text } of changes.parts) texts.add(text);
      return inner.change(changes);
    },
  });
  const transaction: Database["transaction"] = (work) => database.transaction((tx) => work(toQuery(tx)));
  // Writes in the thread run the same statements.
  return { ...database, ...toQuery(database), transaction, perform: undefined };
}

test("no statement of a write, a read or the making of vectors goes through all rows of an owner", async () => {
  const database = await sqlite.open();
  const texts = new Set<string>();
  const { manager, admin, settled, close } = await openOn(toSpied(database, texts), {});
  await manager.write({ label: "log/a", content: "tea", tier: "archival" });
  await manager.write({ label: "log/a", content: "more tea", tier: "archival" });
  await manager.write({ label: "notes", content: "coffee", supersedes: "log/a" });
  await settled();
  await manager.search("tea");
  const [latest] = await admin.history();
  await admin.undo(latest?.seq ?? 0);
  await settled();
  await close();
  const whole: string[] = [];
  for (const text of texts) {
    if (rare.test(text)) continue;
    const explained = text.replaceAll(/\$\d+/gu, "NULL");
    const plan = await database.transaction((tx) => tx.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${explained}`));
    whole.push(
      ...plan
        .map(({ detail }) => detail)
        .filter(isWhole)
        .map((detail) => `${detail}: ${text}`),
    );
  }
  await database.close();
  expect(texts.size).toBeGreaterThan(15);
  expect(whole).toEqual([]);
});

/** A table is read from end to end, or all rows of an owner in a table that has many. */
function isWhole(detail: string): boolean {
  const step = detail.replace("dispatch_memory.", "");
  const isScan = /^SCAN (?!json_each|\w+ VIRTUAL|(?:\d+ )?CONSTANT)/u.test(step);
  return isScan || /^SEARCH (?:passage|embedding) USING .*\(owner=\?\)$/u.test(step);
}

import { expect, test } from "vitest";
import { toClosableSql } from "./closable-sql.ts";
import type { Sql } from "./sql.ts";

test("toClosableSql() closes once, after what is under way has ended, well or badly", async () => {
  const steps: string[] = [];
  const held = Promise.withResolvers<void>();
  const sql: Sql = {
    query: async () => [],
    async transaction(work) {
      await held.promise;
      steps.push("transaction");
      return work(sql);
    },
    async close() {
      steps.push("close");
    },
  };
  const closable = toClosableSql(sql);
  const good = closable.transaction(async () => "done");
  const bad = closable.transaction(async () => {
    throw new Error("rolled back");
  });
  const closed = [closable.close(), closable.close()];
  await expect(closable.query("SELECT 1")).rejects.toMatchObject({ code: "memory_closed" });
  await expect(closable.reclaim?.()).rejects.toMatchObject({ code: "memory_closed" });
  expect(steps).toEqual([]);
  held.resolve();
  expect(await good).toBe("done");
  await expect(bad).rejects.toThrow("rolled back");
  await Promise.all(closed);
  expect(steps).toEqual(["transaction", "transaction", "close"]);
});

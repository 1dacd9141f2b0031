import { expect, test } from "vitest";
import type { Database, Query } from "../database/database.ts";
import { toClosableDatabase } from "./memory-store.ts";

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

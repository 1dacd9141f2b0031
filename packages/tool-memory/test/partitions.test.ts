import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sql, SqlQuery } from "../src/database/database.ts";
import { createMemory, type Memory } from "../src/memory/open-memory.ts";
import { engines, isServer, serverUrls } from "./engines.ts";

interface Plan {
  readonly "Relation Name"?: string;
  readonly Plans?: readonly Plan[];
}

/** Puts every statement that reads or writes rows through EXPLAIN first, and keeps which tables its plan touches. */
function explaining(sql: Sql, plans: { readonly text: string; readonly tables: readonly string[] }[]): Sql {
  const wrap = (inner: SqlQuery): SqlQuery["query"] => {
    return async <Row>(text: string, params?: readonly (string | number | null)[]) => {
      if (
        /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text) &&
        text.includes("dispatch_memory.") &&
        !text.includes("migration")
      ) {
        const [row] = await inner.query<{ "QUERY PLAN": readonly { readonly Plan: Plan }[] }>(
          `EXPLAIN (FORMAT JSON) ${text}`,
          params,
        );
        plans.push({
          text,
          tables: row === undefined ? [] : row["QUERY PLAN"].flatMap(({ Plan: plan }) => tablesOf(plan)),
        });
      }
      return inner.query<Row>(text, params);
    };
  };
  return {
    ...sql,
    query: wrap(sql),
    transaction: (work) => sql.transaction((tx) => work({ query: wrap(tx) })),
    close: () => Promise.resolve(),
  };
}

function tablesOf(plan: Plan): readonly string[] {
  return [
    ...(plan["Relation Name"] === undefined ? [] : [plan["Relation Name"]]),
    ...(plan.Plans ?? []).flatMap(tablesOf),
  ];
}

for (const engine of engines.filter(isServer))
  describe(`partitions on ${engine.name}`, () => {
    const [owners, partitions] = [1_000, 64];
    let sql: Sql;
    const openOwner = (database: Sql, n: number): Promise<Memory> =>
      createMemory({ ...database, close: () => Promise.resolve() }, { owner: `owner ${n}`, partitions });

    beforeAll(async () => {
      sql = await engine.open();
      await sql.query("DROP SCHEMA IF EXISTS dispatch_memory CASCADE");
      await openOwner(sql, 0);
      const numbers = Array.from({ length: owners }, (_, n) => n).values();
      const worker = async (): Promise<void> => {
        for (const n of numbers) {
          const { manager } = await openOwner(sql, n);
          await manager.write({ label: "notes", content: `the tea of ${n}` });
        }
      };
      await Promise.all(Array.from({ length: 8 }, worker));
    });
    afterAll(() => sql.close());

    test("every table that has owners is partitioned by them, and owners spread", async () => {
      const whole = await sql.query(
        `SELECT relname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'owner'
         WHERE relnamespace = 'dispatch_memory'::regnamespace AND relkind = 'r' AND NOT relispartition`,
      );
      expect(whole).toEqual([]);
      const [spread] = await sql.query<{ parts: number; rows: number }>(
        "SELECT count(DISTINCT tableoid)::integer AS parts, count(*)::integer AS rows FROM dispatch_memory.block",
      );
      expect(spread?.rows).toBe(owners);
      expect(spread?.parts).toBeGreaterThan(partitions / 2);
    });

    test("every statement of manager and admin touches one partition of a table at most", async () => {
      const plans: { text: string; tables: readonly string[] }[] = [];
      const { manager, admin } = await openOwner(explaining(sql, plans), 7);
      await manager.write({ label: "notes", content: "the coffee of 7" });
      await manager.write({ label: "persona", content: "I am Ada", tier: "core" });
      await manager.write({ label: "more", content: "a line", tier: "archival" });
      const [waiting] = await admin.pending();
      await admin.approve(waiting?.id ?? "");
      expect(await manager.search("coffee")).toMatchObject([{ label: "notes", content: "the coffee of 7" }]);
      await manager.list();
      await manager.list({ tier: "core" });
      const [latest] = await admin.history();
      await admin.history("notes");
      await admin.undo(latest?.seq ?? 0);
      await admin.setPermission("notes", "readonly");
      await admin.export();
      await admin.forget("more");

      expect(plans.length).toBeGreaterThan(30);
      const partition = /^(\w+?)_(\d+)$/;
      for (const { text, tables } of plans) {
        const numbers = new Set(tables.flatMap((table) => partition.exec(table)?.[2] ?? []));
        expect({ text, partitions: numbers.size }).toEqual({ text, partitions: Math.min(numbers.size, 1) });
      }
      expect(plans.filter(({ tables }) => tables.some((table) => partition.test(table))).length).toBeGreaterThan(20);
    });
  });

test("a server is there to be tried", ({ skip }) => {
  skip(serverUrls.length === 0, "no server is named");
  expect(serverUrls).not.toEqual([]);
});

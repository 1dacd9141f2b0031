import { expect, test } from "vitest";
import { openPglite } from "./pglite-sql.ts";

test("a statement that fails when it is prepared can be run again and again", async () => {
  const sql = await openPglite(undefined);
  try {
    await sql.query("CREATE TABLE one (id integer PRIMARY KEY)");
    const insert = (id: number) =>
      sql.transaction((tx) => tx.query("INSERT INTO one (id) VALUES ($1::integer) RETURNING id", [id]));
    const outcomes: unknown[] = [];
    // The second run is the one that prepares it; from the third on it is prepared.
    for (const id of [1, 1, 1, 2, 2, 3, 3, 4]) outcomes.push(await insert(id).catch((error: Error) => error.message));
    const taken = expect.stringContaining("duplicate key");
    expect(outcomes).toEqual([[{ id: 1 }], taken, taken, [{ id: 2 }], taken, [{ id: 3 }], taken, [{ id: 4 }]]);
  } finally {
    await sql.close();
  }
});

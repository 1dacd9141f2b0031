import { lockOwner } from "./block-rows.ts";
import type { Forgotten } from "./memory-steward.ts";
import type { Scope } from "./scope.ts";
import type { SqlQuery } from "./sql.ts";

/** Deletes every row of a label, then has the database overwrite what the rows left behind. */
export async function forgetLabel(scope: Scope, key: string): Promise<Forgotten> {
  const { sql, owner } = scope;
  const forgotten = await sql.transaction(async (tx) => {
    await lockOwner(tx, owner);
    return {
      blocks: await deleteFrom(tx, "block", owner, key),
      events: await deleteFrom(tx, "event", owner, key),
      mutations: await deleteFrom(tx, "mutation", owner, key),
    };
  });
  await sql.reclaim?.();
  return forgotten;
}

async function deleteFrom(
  tx: SqlQuery,
  table: "block" | "event" | "mutation",
  owner: string,
  key: string,
): Promise<number> {
  const rows = await tx.query(`DELETE FROM dispatch_memory.${table} WHERE owner = $1 AND key = $2 RETURNING 1 AS one`, [
    owner,
    key,
  ]);
  return rows.length;
}

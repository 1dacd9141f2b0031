import type { SqlQuery } from "../database/database.ts";

/**
 * The statements that create a table partitioned by the hash of its owner. Returns the statement unchanged when it creates no
 * table with owners: such a table has `owner` as its first column and in every key.
 *
 * @param count number of partitions, 0 for none.
 */
export function toPartitions(statement: string, count: number): readonly string[] {
  const table = /^CREATE TABLE (dispatch_memory\.\w+) \(\s*owner text\b/u.exec(statement)?.[1];
  if (count === 0 || table === undefined) return [statement];
  const values = (n: number): string => `FOR VALUES WITH (MODULUS ${count}, REMAINDER ${n})`;
  const partitions = Array.from(
    { length: count },
    (_, n) => `CREATE TABLE ${table}_${n} PARTITION OF ${table} ${values(n)}`,
  );
  return [`${statement} PARTITION BY HASH (owner)`, ...partitions];
}

/** Number of partitions of each table, 0 for unpartitioned tables. Later tables get as many as the first. */
export async function countPartitions(tx: SqlQuery): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM pg_inherits WHERE inhparent = to_regclass('dispatch_memory.owner')",
  );
  return rows[0]?.count ?? 0;
}

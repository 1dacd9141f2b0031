/**
 * The statements that create a table in partitions by the hash of its owner; the statement as it is when it creates no table
 * that has owners. Such a table has `owner` as its first column, and in every key.
 *
 * @param count how many, 0 for none.
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

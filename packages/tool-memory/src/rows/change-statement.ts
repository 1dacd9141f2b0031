import type { SqlQuery } from "../database/sql.ts";

/**
 * One statement made of parts that change rows. Every part sees the rows as they were before all of them, whatever the
 * order, and none may change a row that another one changes.
 */
export interface ChangeStatement {
  /** Takes in a value and returns its place in the text, such as `$3::bigint`. */
  value(value: string | number | null, type?: string): string;
  /** Adds a part; others may read from its name what it returns. */
  add(name: string, text: string): void;
}

/**
 * Changes rows in one statement. The same parts give the same text, so a database that keeps statements plans it once.
 *
 * @param compose adds the parts, one at least.
 * @returns what `compose` does, once the rows are changed.
 */
export async function changeRows<Result>(
  tx: SqlQuery,
  compose: (statement: ChangeStatement) => Result,
): Promise<Result> {
  const params: (string | number | null)[] = [];
  const parts: string[] = [];
  const result = compose({
    value(value, type) {
      params.push(value);
      return `$${params.length}${type === undefined ? "" : `::${type}`}`;
    },
    add(name, text) {
      parts.push(`${name} AS (${text})`);
    },
  });
  await tx.query(`WITH ${parts.join(", ")} SELECT 1 AS one`, params);
  return result;
}

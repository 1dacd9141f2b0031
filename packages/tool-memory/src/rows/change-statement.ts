import type { SqlQuery } from "../database/sql.ts";

/**
 * One SQL statement made of several changes (`WITH … AS (INSERT …), … AS (UPDATE …)`). All changes see the rows as they were
 * before the statement, in any order. Two changes must not touch the same row.
 */
export interface ChangeStatement {
  /** Adds a parameter and returns its placeholder, such as `$3::bigint`. */
  value(value: string | number | null, type?: string): string;
  /** Adds a change. Other changes may read the rows it returns by its name. */
  add(name: string, text: string): void;
}

/**
 * Runs several changes as one statement. The same changes give the same SQL text, so the database plans it once.
 *
 * @param compose adds the changes, at least one.
 * @returns the result of `compose`, after the statement has run.
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

import type { ChangeStatement, Query } from "../database/database.ts";

/**
 * Runs several changes as one statement. The same changes give the same SQL text, so the database plans it once.
 *
 * @param compose adds the changes, at least one.
 * @returns the result of `compose`, after the statement has run.
 */
export async function changeRows<Result>(tx: Query, compose: (statement: ChangeStatement) => Result): Promise<Result> {
  const params: (string | number | null)[] = [];
  const parts: { name: string; text: string }[] = [];
  const result = compose({
    value(value) {
      params.push(value);
      return `$${params.length}`;
    },
    add(name, text) {
      parts.push({ name, text });
    },
  });
  await tx.change({ parts, params });
  return result;
}

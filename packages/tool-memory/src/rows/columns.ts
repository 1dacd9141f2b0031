import type { ChangeStatement, Query } from "../database/database.ts";

/** The values of a row by its columns. */
type Row = Readonly<Record<string, string | number | null>>;

/** The column of a field: `blockId` is `"block_id"`. */
export function toColumn(field: string): string {
  return `"${field.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)}"`;
}

/** Adds to a statement: the insertion of a row, its columns named as fields. */
export function insertRow(statement: ChangeStatement, table: string, row: Row): void {
  const values = Object.values(row).map((value) => statement.value(value));
  statement.add(
    `${table}_added`,
    `INSERT INTO dispatch_memory.${table} (${Object.keys(row).map(toColumn).join(", ")}) VALUES (${values.join(", ")})`,
  );
}

/** Adds to a statement: the update of the row that has the values of `where`. */
export function updateRow(statement: ChangeStatement, table: string, where: Row, row: Row): void {
  const set = (values: Row, between: string): string =>
    Object.entries(values)
      .map(([field, value]) => `${toColumn(field)} = ${statement.value(value)}`)
      .join(between);
  statement.add(
    `${table}_changed`,
    `UPDATE dispatch_memory.${table} SET ${set(row, ", ")} WHERE ${set(where, " AND ")}`,
  );
}

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
    value: (value) => `$${params.push(value)}`,
    add: (name, text) => void parts.push({ name, text }),
  });
  await tx.change({ parts, params });
  return result;
}

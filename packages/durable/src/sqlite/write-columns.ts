import type { DatabaseSync } from "node:sqlite";
import { toColumn } from "../column-text.ts";

/** The columns with a text that the host chose. */
const COLUMNS = [
  ["step", "key"],
  ["wait", "key"],
  ["wait", "kind"],
  ["entry", "session"],
  ["entry", "call_id"],
  ["entry", "turn"],
] as const;

/** Writes the texts of a file of shape 1, which had them as they are, as `toColumn` does. For use inside of a transaction. */
export function writeColumns(database: DatabaseSync): void {
  for (const [table, column] of COLUMNS) {
    // The longest first: what a text becomes may be another text of the file, which then is longer and has changed already.
    const found = database.prepare(
      `SELECT DISTINCT ${column} AS text FROM ${table} WHERE ${column} LIKE '"%' OR instr(${column}, char(0)) > 0
      ORDER BY ${column} LIKE '"%' DESC, length(${column}) DESC`,
    );
    const write = database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`);
    for (const { text } of found.all()) write.run(toColumn(String(text)), String(text));
  }
}

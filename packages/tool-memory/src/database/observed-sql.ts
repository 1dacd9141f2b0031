import type { Sql } from "./sql.ts";

/** A database that says so after each transaction that was committed. */
export function toObservedSql(sql: Sql, committed: () => void): Sql {
  return {
    ...sql,
    async transaction(work) {
      const result = await sql.transaction(work);
      committed();
      return result;
    },
  };
}

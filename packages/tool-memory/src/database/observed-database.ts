import type { Database } from "./database.ts";

/** A database that calls `committed` after each committed transaction. */
export function toObservedDatabase(database: Database, committed: () => void): Database {
  return {
    ...database,
    async transaction(work) {
      const result = await database.transaction(work);
      committed();
      return result;
    },
  };
}

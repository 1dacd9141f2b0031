import type { Database } from "./database.ts";

/** A database that calls `committed` after each committed transaction. */
export function toObservedDatabase(database: Database, committed: () => void): Database {
  const { perform } = database;
  return {
    ...database,
    perform:
      perform &&
      (async (work) => {
        const result = await perform(work);
        committed();
        return result;
      }),
    async transaction(work) {
      const result = await database.transaction(work);
      committed();
      return result;
    },
  };
}

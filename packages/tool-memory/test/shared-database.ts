import { afterAll, beforeAll } from "vitest";
import { openPglite } from "../src/database/pglite-sql.ts";
import type { Sql } from "../src/database/sql.ts";
import { createMemory, type Memory, type MemoryOptions } from "../src/memory/create-memory.ts";

/** One embedded database for all tests of a file, as its first start takes seconds; every memory has an owner of its own. */
export function useSharedDatabase() {
  let sql: Sql | undefined;
  let owners = 0;
  const database = (): Sql => {
    if (sql === undefined) throw new Error("the database is not open");
    return sql;
  };
  beforeAll(async () => {
    sql = await openPglite(undefined);
  }, 60_000);
  afterAll(() => sql?.close());
  return {
    database,
    open: (options: MemoryOptions = {}): Promise<Memory> =>
      createMemory(database(), { owner: `owner ${++owners}`, ...options }),
  };
}

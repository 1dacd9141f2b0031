import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import type { Database } from "../src/database/database.ts";
import type { Memory } from "../src/memory/create-memory.ts";
import type { MemoryOptions } from "../src/memory/memory-options.ts";
import { openOn, sqlite } from "./engines.ts";

let opening: Promise<Database> | undefined;

/**
 * One embedded database for all tests of a process, Every memory has an owner of its own, and
 * is closed after the tests of its file; the database ends with the process.
 */
export function useSharedDatabase() {
  let sql: Database | undefined;
  const opened: Memory[] = [];
  const database = (): Database => {
    if (sql === undefined) throw new Error("the database is not open");
    return sql;
  };
  beforeAll(async () => {
    sql = await (opening ??= sqlite.open());
  });
  afterAll(async () => {
    await Promise.all(opened.map((memory) => memory.close()));
  });
  return {
    database,
    open: async (options: MemoryOptions = {}): Promise<Memory> => {
      const memory = await openOn(database(), { owner: randomUUID(), ...options });
      opened.push(memory);
      return memory;
    },
  };
}

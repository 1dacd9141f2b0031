import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import type { Sql } from "../src/database/sql.ts";
import { createMemory, type Memory, type MemoryOptions } from "../src/memory/create-memory.ts";
import type { Engine } from "./engines.ts";

/** One database for all tests of a file; every memory has an owner of its own, and is closed at the end. */
export function useSearchEngine(engine: Engine) {
  let sql: Sql | undefined;
  const opened: Memory[] = [];
  const database = (): Sql => {
    if (sql === undefined) throw new Error("the database is not open");
    return sql;
  };
  beforeAll(async () => {
    sql = await engine.open();
  }, 60_000);
  afterAll(async () => {
    await Promise.all(opened.map((memory) => memory.close()));
    await sql?.close();
  });
  return {
    database,
    open: async (options: MemoryOptions = {}): Promise<Memory> => {
      const memory = await createMemory(
        { ...database(), close: async () => undefined },
        { owner: randomUUID(), ...options },
      );
      opened.push(memory);
      return memory;
    },
    hasVectors: async (): Promise<boolean> => {
      const rows = await database().query(
        "SELECT 1 AS one FROM pg_catalog.pg_available_extensions WHERE name = 'vector'",
      );
      return rows.length > 0;
    },
  };
}

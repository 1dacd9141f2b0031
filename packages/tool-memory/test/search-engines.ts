import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import type { Database } from "../src/database/database.ts";
import type { Memory } from "../src/memory/create-memory.ts";
import type { MemoryOptions } from "../src/memory/memory-options.ts";
import { openOn, type Engine } from "./engines.ts";

/** One database for all tests of a file; every memory has an owner of its own, and is closed at the end. */
export function useSearchEngine(engine: Engine) {
  let sql: Database | undefined;
  const opened: Memory[] = [];
  const database = (): Database => {
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
      const memory = await openOn(database(), { owner: randomUUID(), ...options });
      opened.push(memory);
      return memory;
    },
    hasVectors: async (): Promise<boolean> => (await database().openVectors()) !== undefined,
  };
}

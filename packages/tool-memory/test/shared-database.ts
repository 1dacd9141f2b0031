import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { openPglite } from "../src/database/pglite-sql.ts";
import type { Sql } from "../src/database/sql.ts";
import { createMemory, type Memory, type MemoryOptions } from "../src/memory/create-memory.ts";
import { useBaselineWasm } from "./baseline-wasm.ts";

useBaselineWasm();

let opening: Promise<Sql> | undefined;

/**
 * One embedded database for all tests of a process, as opening one takes longest. Every memory has an owner of its own, and
 * is closed after the tests of its file; the database ends with the process.
 */
export function useSharedDatabase() {
  let sql: Sql | undefined;
  const opened: Memory[] = [];
  const database = (): Sql => {
    if (sql === undefined) throw new Error("the database is not open");
    return sql;
  };
  beforeAll(async () => {
    sql = await (opening ??= openPglite(undefined).then((own) => ({ ...own, close: async () => undefined })));
  }, 120_000);
  afterAll(async () => {
    await Promise.all(opened.map((memory) => memory.close()));
  });
  return {
    database,
    open: async (options: MemoryOptions = {}): Promise<Memory> => {
      const memory = await createMemory(database(), { owner: randomUUID(), ...options });
      opened.push(memory);
      return memory;
    },
  };
}

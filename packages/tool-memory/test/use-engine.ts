import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import type { Database } from "../src/database/database.ts";
import type { MemoryOptions } from "../src/memory/memory-options.ts";
import { type Memory, createStoreOn, type MemoryStore } from "../src/memory/open-memory.ts";
import { openOn, withoutClose, type Engine } from "./engines.ts";

/** One database for all tests of a file or block. Every memory has an owner of its own, and is closed at the end. */
export function useEngine(engine: Engine) {
  let sql: Database | undefined;
  const opened: Memory[] = [];
  const database = (): Database => {
    if (sql === undefined) throw new Error("the database is not open");
    return sql;
  };
  beforeAll(async () => {
    sql = await engine.open();
  });
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
  };
}

/** A store of memories for all tests of a file or block, and its database. */
export function useStore(engine: Engine) {
  const { database } = useEngine(engine);
  let store: MemoryStore | undefined;
  beforeAll(async () => {
    store = await createStoreOn(withoutClose(database()), {});
  });
  afterAll(() => store?.close());
  return {
    database,
    store: (): MemoryStore => {
      if (store === undefined) throw new Error("the store is not open");
      return store;
    },
  };
}

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { createMemory, type Memory, type MemoryOptions } from "../src/create-memory.ts";
import { openPglite } from "../src/pglite-sql.ts";
import type { Sql } from "../src/sql.ts";
import { openPg } from "./pg-sql.ts";

/** A database to search in. */
export interface SearchEngine {
  /** What it is called in the names of tests. */
  readonly name: string;
  /** Opens it. */
  readonly open: () => Promise<Sql>;
}

/**
 * The databases that are there: the embedded one, and every server in `DISPATCH_TEST_POSTGRES_URL` (URLs, spaces between
 * them), with pgvector or without.
 */
export const searchEngines: readonly SearchEngine[] = [
  { name: "PGlite", open: () => openPglite(undefined) },
  ...(process.env["DISPATCH_TEST_POSTGRES_URL"] ?? "")
    .split(" ")
    .filter((url) => url !== "")
    .map((url, at) => ({ name: `server ${at + 1}`, open: async () => openPg(url) })),
];

/** One database for all tests of a file; every memory has an owner of its own, and is closed at the end. */
export function useSearchEngine(engine: SearchEngine) {
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

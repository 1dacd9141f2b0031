import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../src/database/database.ts";
import type { MemoryOptions } from "../src/memory/memory-options.ts";
import { createMemoryOn, type Memory } from "../src/memory/open-memory.ts";
import { migrate } from "../src/postgres/migrate.ts";
import { toPostgresDatabase } from "../src/postgres/postgres-database.ts";
import { openPostgres } from "../src/postgres/postgres-sql.ts";
import { openDirectory, openSqlite } from "../src/sqlite/sqlite-database.ts";

/** A database to run the same tests on. */
export interface Engine {
  /** The kind of engine. */
  readonly name: string;
  /** Opens an empty one of the newest schema; closing it removes it. */
  readonly open: () => Promise<Database>;
}

/** SQLite without files. */
export const sqlite: Engine = {
  name: "SQLite in memory",
  open: () => openSqlite({ file: undefined, isReadOnly: false }),
};

const sqliteDirectory: Engine = {
  name: "SQLite in a directory",
  async open() {
    const directory = mkdtempSync(join(tmpdir(), "engine-"));
    const database = await openDirectory(directory);
    return { ...database, close: () => database.close().finally(() => rmSync(directory, { recursive: true })) };
  },
};

/** Servers that `.ci/with-postgres.ts` starts, or that somebody names: the user must be allowed to create databases. */
const servers = {
  "PostgreSQL, DISPATCH_TEST_POSTGRES_URL": process.env["DISPATCH_TEST_POSTGRES_URL"],
  "PostgreSQL with pgvector, DISPATCH_TEST_PGVECTOR_URL": process.env["DISPATCH_TEST_PGVECTOR_URL"],
};

const present = Object.entries(servers).flatMap(([name, url]) => (url === undefined ? [] : [toEngine(name, url)]));

/** The servers that are not there. */
export const missingServers: readonly string[] = Object.entries(servers).flatMap(([name, url]) =>
  url === undefined ? [name] : [],
);

/** Every engine that is there. */
export const engines: readonly Engine[] = [sqlite, sqliteDirectory, ...present];

/** The servers that are there, each with the URL of a new database in it. */
export const serverUrls: readonly string[] = Object.values(servers).filter((url) => url !== undefined);

/** Whether the database is PostgreSQL. */
export function isServer({ name }: Engine): boolean {
  return name.startsWith("PostgreSQL");
}

/** A memory in a database that others use, too. */
export function openOn(database: Database, options: MemoryOptions = {}): Promise<Memory> {
  return createMemoryOn(withoutClose(database), options);
}

/** A database that others use, too: closing it does nothing. */
export function withoutClose(database: Database): Database {
  return { ...database, close: async () => undefined };
}

function toEngine(name: string, url: string): Engine {
  return {
    name,
    async open() {
      const { url: own, drop } = await createDatabase(url);
      const database = toPostgresDatabase(openPostgres(own));
      await migrate(database);
      return { ...database, close: () => database.close().finally(drop) };
    },
  };
}

/** A new database on a server, and how to remove it. */
export async function createDatabase(
  server: string,
): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  const name = `dispatch_test_${randomBytes(6).toString("hex")}`;
  const run = async (statement: string): Promise<void> => {
    const admin = openPostgres(server, { connections: 1 });
    await admin.query(statement).finally(() => admin.close());
  };
  await run(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}

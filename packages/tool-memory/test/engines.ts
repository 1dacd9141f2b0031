import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPglite } from "../src/database/pglite-sql.ts";
import { openPostgres } from "../src/database/postgres-sql.ts";
import { shareDirectory } from "../src/database/share-directory.ts";
import type { Sql } from "../src/database/sql.ts";
import { useBaselineWasm } from "./baseline-wasm.ts";
import { startChild } from "./child.ts";

useBaselineWasm();

/** A database to run the same tests on. */
export interface Engine {
  /** What it is. */
  readonly name: string;
  /** Opens an empty one; closing it removes it. */
  readonly open: () => Promise<Sql>;
}

const serveDirectory = new URL("./serve-directory.ts", import.meta.url);

/** An embedded database in this process. */
export const pglite: Engine = { name: "PGlite in this process", open: () => openPglite(undefined) };

const pgliteElsewhere: Engine = {
  name: "PGlite in another process",
  async open() {
    const directory = mkdtempSync(join(tmpdir(), "engine-"));
    const child = startChild(serveDirectory, directory);
    await child.printed(1);
    const sql = await shareDirectory(directory, {}, () => Promise.reject(new Error("the other process has it open")));
    return {
      ...sql,
      async close() {
        await sql.close();
        child.process.stdin?.end();
        await child.ended;
        rmSync(directory, { recursive: true });
      },
    };
  },
};

/** Servers that `.ci/with-postgres.ts` starts, or that somebody names: the user must be allowed to create databases. */
const servers = {
  "PostgreSQL, DISPATCH_TEST_POSTGRES_URL": process.env["DISPATCH_TEST_POSTGRES_URL"],
  "PostgreSQL with pgvector, DISPATCH_TEST_PGVECTOR_URL": process.env["DISPATCH_TEST_PGVECTOR_URL"],
};

const present = Object.entries(servers).flatMap(([name, url]) => (url === undefined ? [] : [toEngine(name, url)]));
const missing = Object.keys(servers).filter((name) => servers[name as keyof typeof servers] === undefined);
if (missing.length > 0) process.stderr.write(`Not tried, as none is there: ${missing.join("; ")}\n`);

/** Every engine that is there. */
export const engines: readonly Engine[] = [pglite, pgliteElsewhere, ...present];

/** The servers that are there, each with the URL of a new database in it. */
export const serverUrls: readonly string[] = Object.values(servers).filter((url) => url !== undefined);

function toEngine(name: string, url: string): Engine {
  return {
    name,
    async open() {
      const { url: own, drop } = await createDatabase(url);
      const sql = await openPostgres(own);
      return { ...sql, close: () => sql.close().finally(drop) };
    },
  };
}

/** A new database on a server, and how to remove it. */
export async function createDatabase(
  server: string,
): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  const name = `dispatch_test_${randomBytes(6).toString("hex")}`;
  const run = async (statement: string): Promise<void> => {
    const admin = await openPostgres(server, { connections: 1 });
    await admin.query(statement).finally(() => admin.close());
  };
  await run(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}

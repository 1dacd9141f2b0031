import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { OptionNames } from "@dispatch/tools-interface/internal";
import type { Database } from "../database/database.ts";
import type { PostgresDriver } from "../postgres/postgres-sql.ts";
import { openDirectory, openSqlite } from "../sqlite/sqlite-database.ts";
import { MemoryError } from "../text/memory-error.ts";
import { checkMemoryOptions, toMemory, type Memory } from "./create-memory.ts";
import {
  checkNames,
  OWNER_OPTIONS,
  pickOptions,
  type MemoryOptions,
  STORE_OPTIONS,
  checkStoreOptions,
  type MemoryStoreOptions,
} from "./memory-options.ts";
import { createStoreOn, type MemoryStore } from "./memory-store.ts";

/** Options of a memory that is opened by its URL. */
export interface OpenMemoryOptions extends MemoryOptions, OpenMemoryStoreOptions {}

/**
 * Opens the memory of one owner. Creates it when it does not exist. For several owners of one process use
 * {@link openMemoryStore}: it opens the database once.
 *
 * @param url as of {@link openMemoryStore}.
 * @throws MemoryError as {@link openMemoryStore}.
 *
 * @example
 * ```ts
 * const memory = await openMemory("./memory");
 * await memory.manager.write({ label: "user/drinks", content: "Prefers green tea" });
 * await memory.close();
 * ```
 */
export async function openMemory(url: string, options: OpenMemoryOptions = {}): Promise<Memory> {
  checkNames(options, { ...OPEN_OPTIONS, ...OWNER_OPTIONS, owner: true });
  checkMemoryOptions(options);
  return toMemory(await openMemoryStore(url, pickOptions(options, OPEN_OPTIONS)), options);
}

/** Options of a store that is opened by its URL. */
export interface OpenMemoryStoreOptions extends MemoryStoreOptions {
  /** Maximum number of connections to a server. Default 10. Has no effect on a directory. */
  readonly connections?: number | undefined;
  /**
   * The driver of a server, `import pg from "pg"`: a bundle has to pass it, because it cannot be looked up there. Default: the
   * installed package. Has no effect on a directory.
   */
  readonly pg?: PostgresDriver | undefined;
}

/** The names of the options of `openMemoryStore`. */
const OPEN_OPTIONS: OptionNames<OpenMemoryStoreOptions> = { ...STORE_OPTIONS, connections: true, pg: true };

/**
 * Opens the memories of any number of owners in one database. Creates it when it does not exist.
 *
 * @param url `./memory`, another directory, or a `file:` URL of one: an embedded SQLite database that any number of processes
 * of one machine may open at the same time; on a read-only file system it can be read. `postgres://…`: a server, through the
 * driver `pg`, which must be installed. `:memory:`: a database without files, gone when closed.
 * @throws MemoryError `memory_url`, `memory_options`, `memory_locked`, `memory_version`, `memory_driver`,
 * `memory_connection`, `memory_storage`, `memory_damaged`.
 *
 * @example
 * ```ts
 * const store = await openMemoryStore("postgres://app@db.example/memory", { connections: 10 });
 * const hits = await store.owner("ada").manager.search("tea");
 * ```
 */
export async function openMemoryStore(url: string, options: OpenMemoryStoreOptions = {}): Promise<MemoryStore> {
  checkNames(options, OPEN_OPTIONS);
  const { partitions } = checkStoreOptions(options);
  const database = await openDatabase(url, options, partitions);
  try {
    return await createStoreOn(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openDatabase(url: string, options: OpenMemoryStoreOptions, partitions: number): Promise<Database> {
  if (/^postgres(?:ql)?:/i.test(url)) return openServer(url, options, partitions);
  if (url === ":memory:") return openSqlite({ file: undefined, isReadOnly: false });
  return openDirectory(toDirectory(url));
}

function toDirectory(url: string): string {
  if (url.startsWith("file:")) return fileURLToPath(url);
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1];
  if (scheme !== undefined || url === "" || url.includes("\0")) {
    throw new MemoryError(
      "Cannot open the memory: the URL names no directory, allowed are a directory such as ./memory, a file: URL, a postgres: URL and :memory:",
      "memory_url",
    );
  }
  return resolve(url);
}

async function openServer(
  url: string,
  { connections, pg: driver }: OpenMemoryStoreOptions,
  partitions: number,
): Promise<Database> {
  const [{ openPostgres }, { openPostgresDatabase }] = await Promise.all([
    import("../postgres/postgres-sql.ts"),
    import("../postgres/migrate.ts"),
  ]);
  const sql = openPostgres(url, { connections, driver });
  try {
    return await openPostgresDatabase(sql, partitions);
  } catch (error) {
    await sql.close();
    throw error;
  }
}

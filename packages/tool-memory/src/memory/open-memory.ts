import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { OptionNames } from "@dispatch/tools-interface/internal";
import { aroundEach, type Database, type Sql } from "../database/database.ts";
import { openPostgresDatabase } from "../postgres/migrate.ts";
import { openPostgres, type PostgresDriver } from "../postgres/postgres-sql.ts";
import { openEmbeddingQueues } from "../search/embedding-queue.ts";
import { openDirectory, openSqlite } from "../sqlite/sqlite-database.ts";
import { MemoryError } from "../text/memory-error.ts";
import {
  checkName,
  checkNames,
  checkOwnerOptions,
  checkStoreOptions,
  type MemoryOptions,
  type MemoryStoreOptions,
  OWNER_OPTIONS,
  type OwnerOptions,
  pickOptions,
  STORE_OPTIONS,
} from "./memory-options.ts";
import { createOwnerMemory, type OwnerMemory } from "./owner-memory.ts";

/** The memories of any number of owners in one database, over one pool of connections or one thread. */
export interface MemoryStore {
  /**
   * The memory of an owner. Does nothing by itself, so it may be called for every request: an owner has rows from the
   * first write on. Owners cannot reach one another.
   *
   * @param id 1 to 200 characters of well-formed text. Ids that differ in any character are different owners.
   * @throws MemoryError `memory_options`.
   */
  readonly owner: (id: string, options?: OwnerOptions) => OwnerMemory;
  /**
   * Copies a memory of a directory, all owners, to a new directory, while it is used; `openMemory` opens the copy. Copying the
   * files of a memory that is open may give half a transaction.
   *
   * @throws MemoryError `memory_options` when the directory holds a memory already, or the memory is on a server;
   * `memory_storage`.
   */
  readonly backup: (directory: string) => Promise<void>;
  /** Waits for running operations and releases the storage. Later operations fail with `memory_closed`. A second call does nothing. */
  readonly close: () => Promise<void>;
}

/** An open memory of one owner. */
export interface Memory extends OwnerMemory, Pick<MemoryStore, "backup" | "close"> {}

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
  checkOwner(options);
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
  const sql = openPostgres(url, { connections, driver });
  try {
    return await openPostgresDatabase(sql, partitions);
  } catch (error) {
    await sql.close();
    throw error;
  }
}

/**
 * Opens a memory in your own database and migrates it to the newest schema. `close()` also closes the database.
 *
 * @throws MemoryError `memory_options`, `memory_version`; errors of the database.
 *
 * @example
 * ```ts
 * const memory = await createMemory(sql, { owner: "ada" }); // sql: your own implementation of `Sql`
 * ```
 */
export async function createMemory(sql: Sql, options: MemoryOptions = {}): Promise<Memory> {
  checkNames(options, { ...STORE_OPTIONS, ...OWNER_OPTIONS, owner: true });
  checkOwner(options);
  const { partitions } = checkStoreOptions(options);
  return createMemoryOn(await openPostgresDatabase(sql, partitions), options);
}

/** Opens a memory in a database of the newest schema. */
export async function createMemoryOn(database: Database, options: MemoryOptions): Promise<Memory> {
  return toMemory(await createStoreOn(database, options), options);
}

/** The memory of a store's only owner. It closes the store. */
function toMemory(store: MemoryStore, { owner = "default", ...options }: MemoryOptions): Memory {
  const { backup, close } = store;
  return Object.freeze({ ...store.owner(owner, pickOptions<OwnerOptions>(options, OWNER_OPTIONS)), backup, close });
}

/** Throws `memory_options`, before anything is opened. */
function checkOwner({ owner, ...options }: MemoryOptions): void {
  if (owner !== undefined) checkName("owner", owner);
  checkOwnerOptions(options);
}

/** Opens a store in a database of the newest schema. */
export async function createStoreOn(database: Database, options: MemoryStoreOptions): Promise<MemoryStore> {
  const { policy, embedder, previousEmbedder, countTokens } = checkStoreOptions(options);
  const sql = toClosableDatabase(database);
  const queues = await openEmbeddingQueues(sql, embedder, previousEmbedder);
  return Object.freeze({
    owner(id, asked = {}) {
      checkNames(asked, OWNER_OPTIONS, "Cannot open an owner's memory");
      return createOwnerMemory({ sql, queues, policy, countTokens }, id, asked);
    },
    backup: (directory) => sql.backup(directory),
    async close() {
      await queues.stop();
      await sql.close();
    },
  } satisfies MemoryStore);
}

/**
 * A database that closes once, after running operations have ended, and refuses everything from the moment `close` is called.
 */
export function toClosableDatabase(database: Database): Database {
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const track = <Result>(start: () => Promise<Result>): Promise<Result> => {
    if (closing !== undefined) {
      return Promise.reject(
        new MemoryError("Cannot use the memory: it was closed, allowed is use before close", "memory_closed"),
      );
    }
    const work = start();
    running.add(work);
    const done = (): void => void running.delete(work);
    work.then(done, done);
    return work;
  };
  return {
    ...aroundEach(database, track),
    close: () => (closing ??= Promise.allSettled(running).then(() => database.close())),
  };
}

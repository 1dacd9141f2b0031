import type { Database, Sql } from "../database/database.ts";
import { openPostgresDatabase } from "../postgres/migrate.ts";
import {
  checkNames,
  OWNER_OPTIONS,
  pickOptions,
  STORE_OPTIONS,
  type OwnerOptions,
  checkName,
  checkOwnerOptions,
  checkStoreOptions,
  type MemoryOptions,
} from "./memory-options.ts";
import { createStoreOn, type MemoryStore } from "./memory-store.ts";
import type { OwnerMemory } from "./owner-memory.ts";

/** An open memory of one owner. */
export interface Memory extends OwnerMemory, Pick<MemoryStore, "backup" | "close"> {}

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
  const { partitions } = checkMemoryOptions(options);
  return createMemoryOn(await openPostgresDatabase(sql, partitions), options);
}

/** Opens a memory in a database of the newest schema. */
export async function createMemoryOn(database: Database, options: MemoryOptions): Promise<Memory> {
  checkMemoryOptions(options);
  return toMemory(await createStoreOn(database, options), options);
}

/** The memory of a store's only owner. It closes the store. */
export function toMemory(store: MemoryStore, { owner = "default", ...options }: MemoryOptions): Memory {
  const { backup, close } = store;
  return Object.freeze({ ...store.owner(owner, pickOptions<OwnerOptions>(options, OWNER_OPTIONS)), backup, close });
}

/** Throws `memory_options`. */
export function checkMemoryOptions(options: MemoryOptions): { readonly partitions: number } {
  if (options.owner !== undefined) checkName("owner", options.owner);
  checkOwnerOptions(options);
  return checkStoreOptions(options);
}

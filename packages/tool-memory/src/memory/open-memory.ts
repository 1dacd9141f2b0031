import { checkMemoryOptions, toMemory, type Memory } from "./create-memory.ts";
import { checkNames, OWNER_OPTIONS, pickOptions, type MemoryOptions } from "./memory-options.ts";
import { OPEN_OPTIONS, openMemoryStore, type OpenMemoryStoreOptions } from "./open-memory-store.ts";

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

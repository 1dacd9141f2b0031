import { aroundEach, type Database } from "../database/database.ts";
import { openEmbeddingQueues } from "../search/embedding-queue.ts";
import { MemoryError } from "../text/memory-error.ts";
import {
  checkNames,
  OWNER_OPTIONS,
  checkStoreOptions,
  type MemoryStoreOptions,
  type OwnerOptions,
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

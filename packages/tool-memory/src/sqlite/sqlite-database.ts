import { existsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import type { Database, VectorStore } from "../database/database.ts";
import { prepareBackup, createDirectory, fileIn } from "./directory.ts";
import { INDEX_FOR_VECTORS } from "./schema.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { ThreadClient } from "./thread-client.ts";
import { isRead, type Location, type Request } from "./thread-request.ts";
import { TransactionQueue } from "./transaction-queue.ts";

/**
 * Opens a SQLite database in a thread of its own and brings it to the newest schema. Any number of processes of one machine
 * may open the same file.
 *
 * @throws MemoryError `memory_version`, `memory_storage`, `memory_damaged`, `memory_locked`.
 */
export async function openSqlite(location: Location): Promise<Database> {
  const thread = await ThreadClient.start(location);
  try {
    await thread.call({ op: "open" });
  } catch (error) {
    await thread.end();
    throw error;
  }
  const queue = new TransactionQueue(thread);
  // A database in memory has one connection: outside of a transaction it may be read, but not during one.
  const read = <Value>(request: Request): Promise<Value> =>
    location.file === undefined ? queue.alone(() => thread.call<Value>(request)) : thread.call<Value>(request);
  return {
    dialect: sqliteDialect,
    isReadOnly: location.isReadOnly,
    query: (text, params = []) =>
      isRead(text) ? read({ op: "query", text, params }) : queue.transaction((tx) => tx.query(text, params)),
    change: (changes) => queue.transaction((tx) => tx.change(changes)),
    transaction: (work) => queue.transaction(work),
    perform: (work) => queue.perform(work),
    async openVectors() {
      await queue.transaction(async (tx) => {
        const found = await tx.query("SELECT 1 FROM dispatch_memory.sqlite_schema WHERE name = 'passage_owner'");
        if (found.length === 0) for (const statement of INDEX_FOR_VECTORS) await tx.query(statement);
      });
      return vectors;
    },
    search: (owner, search) => read({ op: "search", owner, search }),
    searchWords: (owner, search) => read({ op: "search_words", owner, search }),
    reclaim: () => queue.alone(() => thread.call({ op: "reclaim" })),
    check: () => read({ op: "check" }),
    checkSearch: () => read({ op: "check_search" }),
    backup: async (directory) => read({ op: "backup", file: await prepareBackup(directory) }),
    async close() {
      // After a transaction that failed, its end may still be under way.
      await queue.alone(() => thread.call({ op: "close" })).finally(() => thread.end());
    },
  };
}

const vectors: VectorStore = {
  async insert(tx, owner, { id }, made) {
    const list = made.map(({ id: passage, vector }) => ({
      passage,
      vector: Buffer.from(vector.buffer).toString("hex"),
    }));
    const params = [owner, id, JSON.stringify(list)];
    await tx.query(
      `DELETE FROM dispatch_memory.embedding_claim WHERE owner = $1 AND space = $2
         AND passage IN (SELECT value ->> 'passage' FROM json_each($3))`,
      params,
    );
    await tx.query(
      `INSERT INTO dispatch_memory.embedding (owner, space, passage, vector)
       SELECT $1, $2, passage.id, unhex(value ->> 'vector')
       FROM json_each($3) CROSS JOIN dispatch_memory.passage ON passage.id = value ->> 'passage'
       WHERE passage.owner = $1 ON CONFLICT (passage, space) DO NOTHING`,
      params,
    );
  },
  tidy: async () => undefined,
};

/** Opens the database of a directory, and creates both when they do not exist. */
export async function openDirectory(directory: string): Promise<Database> {
  const file = fileIn(directory);
  if (existsSync(file)) return openSqlite({ file, isReadOnly: !(await isWritable(directory)) });
  await createDirectory(directory);
  return openSqlite({ file, isReadOnly: false });
}

async function isWritable(directory: string): Promise<boolean> {
  return access(directory, constants.W_OK).then(
    () => true,
    () => false,
  );
}

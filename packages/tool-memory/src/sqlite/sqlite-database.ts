import { existsSync } from "node:fs";
import { access, constants, mkdir, open } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Database, VectorStore } from "../database/database.ts";
import { MemoryError } from "../text/memory-error.ts";
import { isRead } from "./connection.ts";
import { INDEX_FOR_VECTORS } from "./schema.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import type { Location, Request } from "./sqlite-engine.ts";
import { ThreadClient } from "./thread-client.ts";
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

/** The name of the database in its directory. SQLite keeps its write-ahead log and the log's index beside it. */
const FILE = "memory.db";

/** The path of the database in a directory. */
function fileIn(directory: string): string {
  return join(directory, FILE);
}

/**
 * Creates a directory for its user alone, and writes its name to disk.
 *
 * @throws MemoryError `memory_storage`.
 */
async function createDirectory(directory: string): Promise<void> {
  try {
    const first = await mkdir(directory, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    for (let path = directory; path.startsWith(first); path = dirname(path)) await syncPath(dirname(path));
  } catch (cause) {
    throw new MemoryError(
      "Cannot open the memory: its directory cannot be created, allowed is a directory that this user may write; check the path and its permissions",
      "memory_storage",
      cause,
    );
  }
}

/** Creates the directory of a copy, and returns the path of its database. Throws when it holds one. */
async function prepareBackup(directory: string): Promise<string> {
  const target = resolve(directory);
  if (existsSync(fileIn(target))) {
    throw new MemoryError(
      "Cannot copy the memory: the directory holds a memory already, allowed is one without; name a new directory",
      "memory_options",
    );
  }
  await createDirectory(target);
  return fileIn(target);
}

/** Writes a file, or the names in a directory, to disk. Windows cannot do so for directories and needs not. */
async function syncPath(path: string): Promise<void> {
  try {
    const handle = await open(path, "r");
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (process.platform === "win32" && (code === "EPERM" || code === "EISDIR" || code === "EACCES")) return;
    throw error;
  }
}

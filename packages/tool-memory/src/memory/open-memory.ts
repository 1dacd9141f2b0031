import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { openDirectory } from "../sqlite/open-directory.ts";
import { openSqlite } from "../sqlite/sqlite-database.ts";
import { MemoryError } from "../text/memory-error.ts";
import { checkMemoryOptions, createMemory, createMemoryOn, type Memory, type MemoryOptions } from "./create-memory.ts";

/** Options of a memory that is opened by its URL. */
export interface OpenMemoryOptions extends MemoryOptions {
  /** Maximum number of connections to a server. Default 10. Has no effect on a directory. */
  readonly connections?: number | undefined;
}

/**
 * Opens a memory. Creates it when it does not exist.
 *
 * @param url `./memory`, another directory, or a `file:` URL of one: an embedded SQLite database that any number of processes
 * of one machine may open at the same time; on a read-only file system it can be read. `postgres://…`: a server, through the
 * driver `pg`, which must be installed. `:memory:`: a database without files, gone when closed.
 * @throws MemoryError `memory_url`, `memory_options`, `memory_locked`, `memory_version`, `memory_driver`,
 * `memory_connection`, `memory_storage`, `memory_damaged`.
 */
export async function openMemory(url: string, options: OpenMemoryOptions = {}): Promise<Memory> {
  checkMemoryOptions(options);
  if (/^postgres(?:ql)?:/i.test(url)) return openServer(url, options);
  const database =
    url === ":memory:"
      ? await openSqlite({ file: undefined, isReadOnly: false })
      : await openDirectory(toDirectory(url));
  try {
    return await createMemoryOn(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
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

async function openServer(url: string, options: OpenMemoryOptions): Promise<Memory> {
  const { openPostgres } = await import("../postgres/postgres-sql.ts");
  const sql = await openPostgres(url, { connections: options.connections });
  try {
    return await createMemory(sql, options);
  } catch (error) {
    await sql.close();
    throw error;
  }
}

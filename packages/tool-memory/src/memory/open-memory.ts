import { existsSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { unpackSeed } from "../database/seed.ts";
import { shareFolder } from "../database/share-folder.ts";
import type { Sql } from "../database/sql.ts";
import { syncFolder, syncPath } from "../database/sync-folder.ts";
import { MemoryError } from "../text/memory-error.ts";
import { checkMemoryOptions, createMemory, type Memory, type MemoryOptions } from "./create-memory.ts";

/** How a memory is opened by its URL. */
export interface OpenMemoryOptions extends MemoryOptions {
  /**
   * Take a folder from a holder of which cannot be told whether it still runs: a process of another container or
   * machine that did not close the memory. Only for hosts that see to it that one process at a time runs. A process
   * that is seen to live keeps the folder even so. Default false: such a folder is refused.
   */
  readonly takeOver?: boolean | undefined;
  /** Connections to a server at one time. Default 10; a folder needs none. */
  readonly connections?: number | undefined;
}

/**
 * Opens a memory, creating it when there is none.
 *
 * @param url `./memory` or another folder, or a `file:` URL of one: an embedded PostgreSQL that keeps its files there.
 * The first process that opens a folder serves all others of the same user, and another takes its place when it ends.
 * `postgres://…`: a server, by the driver `pg`, which is to be installed. `:memory:`: an embedded PostgreSQL without
 * files, gone when closed.
 * @throws MemoryError `memory_url`, `memory_options`, `memory_locked`, `memory_version`, `memory_driver`,
 * `memory_connection`; what the file system throws.
 */
export async function openMemory(url: string, options: OpenMemoryOptions = {}): Promise<Memory> {
  checkMemoryOptions(options);
  if (/^postgres(?:ql)?:/i.test(url)) return create(await openServer(url, options), options);
  const folder = url === ":memory:" ? undefined : toFolder(url);
  // Now, though it may be needed only when another process goes away: then it would keep everybody waiting.
  const { openPglite } = await import("../database/pglite-sql.ts");
  if (folder === undefined) return create(await openPglite(undefined), options);
  const open = async (): Promise<Sql> => openPglite(await prepare(folder, openPglite));
  return create(await shareFolder(folder, options, open), options);
}

function toFolder(url: string): string {
  if (url.startsWith("file:")) return fileURLToPath(url);
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1];
  if (scheme !== undefined || url === "" || url.includes("\0")) {
    throw new MemoryError(
      "Cannot open the memory: the URL names no folder, allowed are a folder such as ./memory, a file: URL, a postgres: URL and :memory:",
      "memory_url",
    );
  }
  return resolve(url);
}

/**
 * Makes the database's folder whole, and brings it to disk, before it gets its name: whoever is killed while creating it
 * leaves nothing that a later start could take for a database.
 */
async function prepare(folder: string, openPglite: (draft: string) => Promise<Sql>): Promise<string> {
  const home = join(folder, "pg");
  if (existsSync(home)) return home;
  const draft = join(folder, "pg.new");
  rmSync(draft, { recursive: true, force: true });
  if (!(await unpackSeed(draft))) await (await openPglite(draft)).close();
  await syncFolder(draft);
  renameSync(draft, home);
  await syncPath(folder);
  return home;
}

async function openServer(url: string, { connections }: OpenMemoryOptions): Promise<Sql> {
  const { openPostgres } = await import("../database/postgres-sql.ts");
  return openPostgres(url, { connections });
}

async function create(sql: Sql, options: MemoryOptions): Promise<Memory> {
  try {
    return await createMemory(sql, options);
  } catch (error) {
    await sql.close();
    throw error;
  }
}

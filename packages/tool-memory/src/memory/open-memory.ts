import { existsSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { shareDirectory } from "../database/share-directory.ts";
import type { Sql } from "../database/sql.ts";
import { syncDirectory, syncPath } from "../database/sync-directory.ts";
import { unpackTemplate } from "../database/template-database.ts";
import { MemoryError } from "../text/memory-error.ts";
import { checkMemoryOptions, createMemory, type Memory, type MemoryOptions } from "./create-memory.ts";

/** Options of a memory that is opened by its URL. */
export interface OpenMemoryOptions extends MemoryOptions {
  /**
   * Take over a directory when it is unknown whether the process that has it open still runs: a process of another container
   * or machine that did not close the memory. Only for hosts that run one process at a time. A live process always keeps the
   * directory. Default false: such a directory is refused.
   */
  readonly takeOver?: boolean | undefined;
  /** Maximum number of connections to a server. Default 10. Has no effect on a directory. */
  readonly connections?: number | undefined;
}

/**
 * Opens a memory. Creates it when it does not exist.
 *
 * @param url `./memory`, another directory, or a `file:` URL of one: an embedded PostgreSQL that keeps its files there. The
 * first process that opens a directory (the leader) serves all other processes of the same user; when it ends, another one
 * takes its place. `postgres://…`: a server, through the driver `pg`, which must be installed. `:memory:`: an embedded
 * PostgreSQL without files, gone when closed.
 * @throws MemoryError `memory_url`, `memory_options`, `memory_locked`, `memory_version`, `memory_driver`,
 * `memory_connection`; errors of the file system.
 */
export async function openMemory(url: string, options: OpenMemoryOptions = {}): Promise<Memory> {
  checkMemoryOptions(options);
  if (/^postgres(?:ql)?:/i.test(url)) return create(await openServer(url, options), options);
  const directory = url === ":memory:" ? undefined : toDirectory(url);
  // Imported now although it may be needed only when the leader ends: importing it then would delay every process.
  const { openPglite } = await import("../database/pglite-sql.ts");
  if (directory === undefined) return create(await openPglite(undefined), options);
  const open = async (): Promise<Sql> => openPglite(await prepare(directory, openPglite));
  return create(await shareDirectory(directory, options, open), options);
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

/**
 * Creates the database's directory under a temporary name, syncs it to disk and renames it. A process that is killed midway
 * leaves no incomplete database behind.
 */
async function prepare(directory: string, openPglite: (draft: string) => Promise<Sql>): Promise<string> {
  const home = join(directory, "pg");
  if (existsSync(home)) return home;
  const draft = join(directory, "pg.new");
  rmSync(draft, { recursive: true, force: true });
  if (!(await unpackTemplate(draft))) await (await openPglite(draft)).close();
  await syncDirectory(draft);
  renameSync(draft, home);
  await syncPath(directory);
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

import { existsSync, rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { loadSqlite } from "./load-sqlite.ts";

/** SQLite's result code for a lock that another one holds. */
const BUSY = 5;

/**
 * Says that a process lives: a file that it has locked. The kernel frees the lock when the process ends, however it ends, and
 * not before; so no clock takes part, and a process that is only slow or stopped is never taken for a dead one.
 */
export class WorkerLock {
  readonly #file: string;
  readonly #database: DatabaseSync;

  /** Creates the file and locks it. */
  constructor(file: string) {
    this.#file = file;
    this.#database = lock(file);
  }

  /** Frees the lock and removes the file. */
  release(): void {
    this.#database.close();
    rmSync(this.#file, { force: true });
  }

  /** Whether the process that locked the file has ended. */
  static isFree(file: string): boolean {
    if (!existsSync(file)) return true;
    try {
      lock(file).close();
      return true;
    } catch (error) {
      if (((error as { errcode?: number }).errcode ?? 0) === BUSY) return false;
      throw error;
    }
  }
}

function lock(file: string): DatabaseSync {
  const { DatabaseSync: Database } = loadSqlite();
  const database = new Database(file, { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

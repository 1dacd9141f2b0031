import { existsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../database/database.ts";
import { MemoryError } from "../text/memory-error.ts";
import { createDirectory, fileIn } from "./directory.ts";
import { openSqlite } from "./sqlite-database.ts";

/** Opens the database of a directory, and creates both when they do not exist. */
export async function openDirectory(directory: string): Promise<Database> {
  const file = fileIn(directory);
  if (existsSync(file)) return openSqlite({ file, isReadOnly: !(await isWritable(directory)) });
  if (existsSync(join(directory, "pg", "PG_VERSION"))) {
    throw new MemoryError(
      "Cannot open the memory: its directory was written by a version of this package before SQLite; export it with that version (dispatch-memory export FILE), then import it into a new directory (dispatch-memory import FILE --restore)",
      "memory_version",
    );
  }
  await createDirectory(directory);
  return openSqlite({ file, isReadOnly: false });
}

async function isWritable(directory: string): Promise<boolean> {
  return access(directory, constants.W_OK).then(
    () => true,
    () => false,
  );
}

import { existsSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { MemoryError } from "../text/memory-error.ts";

/** The name of the database in its directory. SQLite keeps its write-ahead log and the log's index beside it. */
const FILE = "memory.db";

/** The path of the database in a directory. */
export function fileIn(directory: string): string {
  return join(directory, FILE);
}

/**
 * Creates a directory for its user alone, and writes its name to disk.
 *
 * @throws MemoryError `memory_storage`.
 */
export async function createDirectory(directory: string): Promise<void> {
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
export async function prepareBackup(directory: string): Promise<string> {
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

import { open } from "node:fs/promises";

/** Writes a file, or the names in a directory, to disk. Windows cannot do so for directories and needs not. */
export async function syncPath(path: string): Promise<void> {
  try {
    const handle = await open(path, "r");
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (process.platform === "win32" && (code === "EPERM" || code === "EISDIR" || code === "EACCES")) return;
    throw error;
  }
}

import { open, readdir } from "node:fs/promises";
import { join } from "node:path";

/** How many files are synced at a time: libuv has four threads for it. */
const AT_ONCE = 8;

/** Brings everything in a folder to disk, and the folder. */
export async function syncDirectory(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true });
  const paths = [folder, ...entries.map((entry) => join(folder, entry))].values();
  const worker = async (): Promise<void> => {
    for (const path of paths) await syncPath(path);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Brings one file or the names in one folder to disk. Windows cannot do so for folders and needs not. */
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

import { constants } from "node:fs";
import { lstat, open, readdir, realpath } from "node:fs/promises";
import path from "node:path";
import type { CodeFile } from "../../code-outcome.ts";
import { isWithin } from "./escaping-links.ts";

/** Files and directories looked at: a fraction of a second. */
const MAX_ENTRIES = 20_000;
const MAX_LISTED = 100;
/** The clock of a file system lags behind that of processes by a tick. */
const LAG_MS = 10;

/** The files in a directory that were made or changed since a moment, at most 100. Never rejects. */
export async function writtenFiles(root: string, since: number): Promise<readonly CodeFile[]> {
  const found: CodeFile[] = [];
  const directories = [root];
  let entries = 0;
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
      entries += 1;
      if (entries > MAX_ENTRIES || found.length >= MAX_LISTED) return byPath(found);
      const file = path.join(directory, entry.name);
      if (entry.isDirectory()) directories.push(file);
      if (!entry.isFile()) continue;
      const stats = await lstat(file).catch(() => undefined);
      // A program can set the time of a change of the contents, but not that of a change of the file.
      if (stats === undefined || stats.ctimeMs < since - LAG_MS) continue;
      found.push({ path: path.relative(root, file).replaceAll(path.sep, "/"), bytes: stats.size });
    }
  }
  return byPath(found);
}

/** A file of the directory, unless it is longer than `maxBytes`, no file, or a link that leads out. Never rejects. */
export async function readWritten(root: string, file: string, maxBytes: number): Promise<Buffer | undefined> {
  try {
    const handle = await open(path.join(root, file), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = await handle.stat();
      const isFile = (await handle.stat()).isFile();
      if (!isFile || size > maxBytes || !isWithin(root, await realpath(path.join(root, file)))) return undefined;
      const buffer = Buffer.alloc(size);
      const { bytesRead } = await handle.read(buffer, 0, size, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

function byPath(files: readonly CodeFile[]): readonly CodeFile[] {
  return files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

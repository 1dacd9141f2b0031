import { constants, lstatSync, opendirSync, type Dir, type Stats } from "node:fs";
import { open, realpath } from "node:fs/promises";
import path from "node:path";
import type { CodeFile } from "../../code-outcome.ts";
import { isWithin } from "./escaping-links.ts";

/** Files and directories looked at: a fraction of a second. */
const MAX_ENTRIES = 20_000;
const MAX_LISTED = 100;
/** Looked at before the event loop may do other work: a few milliseconds. */
const SLICE = 250;
/** The clock of a file system lags behind that of processes by a tick. */
const LAG_MS = 10;

/** The files in a directory that were made or changed since a moment, at most 100. Never rejects. */
export async function writtenFiles(root: string, since: number): Promise<readonly CodeFile[]> {
  const found: CodeFile[] = [];
  let entries = 0;
  for (const file of filesIn(root)) {
    entries += 1;
    if (entries > MAX_ENTRIES || found.length >= MAX_LISTED) break;
    if (entries % SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
    const stats = statsOf(file);
    // A program can set the time of a change of the contents, but not that of a change of the file.
    if (stats === undefined || !stats.isFile() || stats.ctimeMs < since - LAG_MS) continue;
    found.push({ path: path.relative(root, file).replaceAll(path.sep, "/"), bytes: stats.size });
  }
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** All that is in a directory, read in batches: a program may make any number of files. */
function* filesIn(root: string): Generator<string> {
  const directories = [root];
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    let opened: Dir | undefined;
    try {
      opened = opendirSync(directory, { bufferSize: 256 });
      for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
        const file = path.join(directory, entry.name);
        if (entry.isDirectory()) directories.push(file);
        yield file;
      }
    } catch {
      // Gone meanwhile, or not to be read.
    } finally {
      opened?.closeSync();
    }
  }
}

function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    return undefined;
  }
}

/** A file of the directory, unless it is longer than `maxBytes`, no file, or a link that leads out. Never rejects. */
export async function readWritten(root: string, file: string, maxBytes: number): Promise<Buffer | undefined> {
  try {
    const handle = await open(path.join(root, file), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      const { size } = stats;
      if (!stats.isFile() || size > maxBytes || !isWithin(root, await realpath(path.join(root, file))))
        return undefined;
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

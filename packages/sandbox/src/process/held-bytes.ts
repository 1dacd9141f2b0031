import { readdirSync, statfsSync, statSync } from "node:fs";
import path from "node:path";

/** Memory and disk that a process holds beside its resident memory and its named files. */
export interface HeldBytes {
  /** On disk: files without a name that it holds open, in bytes. */
  readonly disk: number;
  /**
   * In memory: files of the containment's temporary file system, and the capacity of its pipes and sockets, in bytes.
   */
  readonly memory: number;
}

/** Where to look. */
export interface HeldBytesOptions {
  readonly pid: number | undefined;
  /** Its temporary directory, where a wall puts a file system in memory there. */
  readonly scratch: string | undefined;
}

/** Linux's default capacity of one end of a pipe: 64 KiB for both ends. */
const PIPE_END_BYTES = 32 * 1024;
/**
 * Linux's limit for data sent to a socket before it is received (`net.core.wmem_default`, 208 KiB), and one last
 * message beyond it.
 */
const SOCKET_BYTES = 288 * 1024;
const BLOCK_BYTES = 512;

/** Measures the bytes a process holds, on Linux; zero elsewhere and when it is gone. */
export function heldBytes({ pid, scratch }: HeldBytesOptions): HeldBytes {
  if (process.platform !== "linux" || pid === undefined) return { disk: 0, memory: 0 };
  const unnamed = new Map<string, number>();
  let memory = scratch === undefined ? 0 : scratchBytes(path.join(`/proc/${pid}/root`, scratch));
  try {
    for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
      const found = statSync(`/proc/${pid}/fd/${descriptor}`, { throwIfNoEntry: false });
      if (found === undefined) continue;
      if (found.isSocket()) memory += SOCKET_BYTES;
      else if (found.isFIFO()) memory += PIPE_END_BYTES;
      else if (found.isFile() && found.nlink === 0)
        unnamed.set(`${found.dev}:${found.ino}`, found.blocks * BLOCK_BYTES);
    }
  } catch {
    // The process has ended.
  }
  return { disk: [...unnamed.values()].reduce((sum, bytes) => sum + bytes, 0), memory };
}

/** A file that was removed counts as long as it is open. */
function scratchBytes(place: string): number {
  try {
    const { blocks, bfree, bsize } = statfsSync(place);
    return (blocks - bfree) * bsize;
  } catch {
    return 0;
  }
}

import { createHash } from "node:crypto";
import { mkdirSync, openSync, chmodSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";

/** A socket's path is cut after 103 bytes on some systems, after 107 on others. */
const MOST_BYTES = 103;

/** Where the process that has a folder open listens. */
export interface SocketAddress {
  /** What to listen on or connect to, in this process as it is now. */
  readonly path: string;
  /** The socket's file, `undefined` for a named pipe. */
  readonly file: string | undefined;
}

/**
 * The address of a folder's socket, in a folder inside that its user alone may enter. On Windows a named pipe, which
 * nobody has tried. `undefined` when the path is too long for a socket and there is no shorter name for it.
 */
export function toSocketAddress(folder: string): SocketAddress | undefined {
  if (process.platform === "win32") {
    const name = createHash("sha256").update(realpathSync(folder)).digest("hex").slice(0, 32);
    return { path: `\\\\.\\pipe\\dispatch-memory-${name}`, file: undefined };
  }
  const inner = join(folder, "run");
  mkdirSync(inner, { recursive: true, mode: 0o700 });
  chmodSync(inner, 0o700);
  const file = join(inner, "sock");
  const path = [file, relative(process.cwd(), file)].find((name) => Buffer.byteLength(name) <= MOST_BYTES);
  if (path !== undefined) return { path, file };
  return process.platform === "linux" ? { path: `/proc/self/fd/${handleOf(inner)}/sock`, file } : undefined;
}

/** One open folder for each path, for as long as the process lives: a socket connects by it at any time. */
const handles = new Map<string, number>();

function handleOf(folder: string): number {
  const known = handles.get(folder) ?? openSync(folder, "r");
  handles.set(folder, known);
  return known;
}

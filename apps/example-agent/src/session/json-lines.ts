import { closeSync, constants, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";

/**
 * Values, one a line as JSON. A process that dies while it writes leaves half a line at the end at most, which the next
 * one cuts off.
 */
export interface JsonLines {
  /** Values that were there when the file was opened. */
  readonly restored: readonly unknown[];
  /**
   * Appends. Survives the end of the process.
   *
   * @throws {Error} After `close`.
   */
  append(value: unknown): void;
  /** Waits until the disk has everything, so that it also survives a loss of power. */
  sync(): void;
  close(): void;
}

/**
 * Opens such a file to append to it.
 *
 * @param how `create` refuses a file that is there, `open` wants one.
 * @throws {Error} When a line that is whole is no JSON: something else has written there.
 */
export function openJsonLines(file: string, how: "create" | "open"): JsonLines {
  const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = constants;
  const descriptor = openSync(file, O_WRONLY | O_APPEND | (how === "create" ? O_CREAT | O_EXCL : 0), 0o600);
  try {
    const restored = how === "create" ? [] : readWhole(file);
    // Once it is closed, its number may be that of another file.
    let isClosed = false;
    const open = (): number => {
      if (isClosed) throw new Error("Cannot write to the session: it was closed");
      return descriptor;
    };
    return {
      restored,
      append: (value) => writeAll(open(), `${JSON.stringify(value)}\n`),
      sync: () => fsyncSync(open()),
      close() {
        closeSync(open());
        isClosed = true;
      },
    };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function readWhole(file: string): readonly unknown[] {
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf("\n") + 1;
  if (end < bytes.length) truncateSync(file, end);
  const lines = bytes.toString("utf8", 0, end).split("\n").slice(0, -1);
  return lines.map((line, index): unknown => {
    try {
      return JSON.parse(line);
    } catch {
      throw new Error(`Cannot read the session: line ${index + 1} is no JSON`);
    }
  });
}

function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
}

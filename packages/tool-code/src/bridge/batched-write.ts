import type { Writable } from "node:stream";

/** A batch of this size is written at once, in characters. */
const MAX_BATCH_CHARS = 65_536;

/**
 * Writes a line. Lines of one tick leave in one system call, which takes longer than most messages do.
 *
 * @param sent Called when the line has left, or cannot leave any more.
 */
export function batchedWrite(stream: Writable, line: string, sent: () => void): void {
  if (stream.writableCorked === 0) {
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
  stream.write(`${line}\n`, () => sent());
  if (stream.writableLength > MAX_BATCH_CHARS) stream.uncork();
}

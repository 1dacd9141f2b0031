import fs from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { binaryReason, SNIFFED_BYTES } from "./binary-reason.ts";

/** What the worker is started with. */
export interface SearchWorkerData {
  /** Source of a regular expression, or the text. */
  readonly source: string;
  /** Flags of the regular expression; `undefined` for a text. */
  readonly flags: string | undefined;
  /** Most lines found in a file. */
  readonly limit: number;
  /** Most bytes of a line that are searched. */
  readonly lineBytes: number;
}

/** A line found: its 0-based number, the byte where the match begins, and its bytes. */
export interface FoundLine {
  readonly line: number;
  readonly column: number;
  readonly bytes: Uint8Array;
}

const CHUNK_BYTES = 1024 * 1024;
const { source, flags, limit, lineBytes } = workerData as SearchWorkerData;
const text = flags === undefined ? Buffer.from(source) : undefined;
const regex = flags === undefined ? undefined : new RegExp(source, flags);
const buffer = Buffer.allocUnsafe(CHUNK_BYTES + lineBytes);

// A worker thread, kept apart from the host's event loop so that it can be ended in the middle of a match.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", (fds: readonly number[]) => parentPort?.postMessage(fds.map(searchFile)));

/** Matching lines of an open file, `undefined` if it cannot be read. */
function searchFile(fd: number): FoundLine[] | undefined {
  try {
    return searchOpen(fd);
  } catch {
    return undefined;
  }
}

function searchOpen(fd: number): FoundLine[] {
  const found: FoundLine[] = [];
  let line = 0;
  let position = 0;
  let filled = 0;
  let skipping = false;
  while (found.length < limit) {
    const length = fs.readSync(fd, buffer, filled, CHUNK_BYTES, position);
    if (position === 0 && binaryReason(buffer.subarray(0, Math.min(length, SNIFFED_BYTES))) !== undefined) return [];
    const atEnd = length === 0;
    position += length;
    filled += length;
    let from = 0;
    if (skipping) {
      const end = buffer.subarray(0, filled).indexOf(10);
      if (end === -1 && !atEnd) {
        filled = 0;
        continue;
      }
      skipping = false;
      line += 1;
      from = end === -1 ? filled : end + 1;
    }
    const last = buffer.subarray(0, filled).lastIndexOf(10);
    const to = atEnd ? filled : last + 1;
    if (to > from) line = searchLines(buffer.subarray(from, to), line, found);
    from = Math.max(from, to);
    if (atEnd) break;
    buffer.copyWithin(0, from, filled);
    filled -= from;
    if (filled > lineBytes) {
      searchLines(buffer.subarray(0, lineBytes), line, found);
      [filled, skipping] = [0, true];
    }
  }
  return found;
}

/** Searches lines that follow one another, the first of them numbered `line`. Answers with the number of the next. */
function searchLines(lines: Buffer, line: number, found: FoundLine[]): number {
  let number = line;
  for (let from = 0; from < lines.length && found.length < limit;) {
    if (text !== undefined) {
      const next = lines.indexOf(text, from);
      const until = next === -1 ? lines.length : next;
      for (let at = lines.indexOf(10, from); at !== -1 && at < until; at = lines.indexOf(10, from)) {
        number += 1;
        from = at + 1;
      }
      if (next === -1) return number;
    }
    const end = lines.indexOf(10, from);
    const bytes = lines.subarray(from, Math.min(end === -1 ? lines.length : end, from + lineBytes));
    const column = columnOf(bytes);
    if (column !== -1) found.push({ line: number, column, bytes: Uint8Array.from(bytes) });
    if (end === -1) return number;
    number += 1;
    from = end + 1;
  }
  return number;
}

function columnOf(bytes: Buffer): number {
  if (text !== undefined) return bytes.indexOf(text);
  const line = bytes.toString("utf8", 0, bytes.at(-1) === 13 ? bytes.length - 1 : bytes.length);
  const index = regex?.exec(line)?.index ?? -1;
  return index === -1 ? -1 : Buffer.byteLength(line.slice(0, index));
}

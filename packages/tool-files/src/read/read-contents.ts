import fs from "node:fs";
import { FilesError } from "../error/files-error.ts";
import { toFilesError } from "../error/system-error.ts";
import { fileIdentity, type FileIdentity } from "../sandbox/directory-handle.ts";
import { fileSource, memorySource } from "../text/bytes.ts";
import { LineIndex, newlineOf } from "../text/line-index.ts";
import { assertStated, detectEncoding, type TextEncoding } from "../text/text-encoding.ts";
import { MAX_EDIT_BYTES } from "../version/content-version.ts";
import { type LinesRead, readLines, type ReadSoFar, shortLines, type WantedLines } from "./read-lines.ts";

/** How often a file that changes meanwhile is read again. */
const MAX_TRIES = 4;
/** Bytes of a longer file that show its encoding. */
const HEAD_BYTES = 64 * 1024;
/** Bytes of a longer file looked at only to say how many lines it has. */
const COUNTED_BYTES = 64 * 1024 * 1024;
/** Where short files are read to, one after the other, so that not every one takes new memory. */
const shared = Buffer.allocUnsafeSlow(64 * 1024);

export interface TextRead extends LinesRead {
  readonly encoding: TextEncoding;
}

/** The requested lines of a file, or bytes that are not text. */
export interface FileContents {
  readonly size: number;
  /** All its bytes, `undefined` above {@link MAX_EDIT_BYTES}. Those of a text stay only until the next file is read. */
  readonly bytes: Buffer | undefined;
  readonly head: Buffer;
  /** Its encoding and the lines. `undefined`: it is binary. */
  readonly text: TextRead | undefined;
}

/**
 * Reads an open file as it is at one moment: if it changes meanwhile it is read again. Up to {@link MAX_EDIT_BYTES} it
 * is read whole; of a longer one only the requested part, in slices between which this yields. `stated` is the encoding, if the
 * caller states it: a name that `encodingName` gives.
 *
 * @throws {FilesError} When it is changed all the time (`file_changed`) or has no end (`file_too_large`).
 */
export function* readContents(
  fd: number,
  wanted: WantedLines,
  attempt: string,
  stated?: string,
): Generator<ReadSoFar, FileContents> {
  const encodingOf = (bytes: Buffer) => {
    assertStated(bytes, stated, attempt);
    return detectEncoding(bytes, stated);
  };
  try {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const { key, size } = fileIdentity(fd);
      const bytes = wholeBytes(fd, size, attempt);
      const contents =
        bytes === undefined
          ? yield* longContents(fd, { size, key }, wanted, encodingOf)
          : yield* shortContents(bytes, wanted, encodingOf(bytes));
      if (fileIdentity(fd).key === key) return contents;
    }
  } catch (error) {
    throw toFilesError(error, attempt);
  }
  throw new FilesError(
    `${attempt}: it was changed while it was read, ${MAX_TRIES} times in a row, and nothing of it is shown; read it when nothing writes to it, or read a copy`,
    { code: "file_changed" },
  );
}

function wholeBytes(fd: number, size: number, attempt: string): Buffer | undefined {
  if (size > MAX_EDIT_BYTES) return undefined;
  let buffer = size < shared.length ? shared : Buffer.allocUnsafeSlow(size + 1);
  let length = 0;
  for (;;) {
    const read = fs.readSync(fd, buffer, length, buffer.length - length, length);
    length += read;
    // A regular file gives all it has at once; one that says it is empty may give a part.
    if (read === 0 || (size > 0 && length < buffer.length)) return buffer.subarray(0, length);
    if (length > MAX_EDIT_BYTES) {
      throw new FilesError(
        `${attempt}: it says it has ${size} bytes and goes on for more than ${MAX_EDIT_BYTES}, allowed are files with an end`,
        { code: "file_too_large" },
      );
    }
    if (length < buffer.length) continue;
    const longer = Buffer.allocUnsafeSlow(buffer.length * 2);
    buffer.copy(longer);
    buffer = longer;
  }
}

function* shortContents(
  bytes: Buffer,
  wanted: WantedLines,
  encoding: TextEncoding | undefined,
): Generator<ReadSoFar, FileContents> {
  const size = bytes.length;
  if (encoding === undefined) {
    const kept = Buffer.from(bytes);
    return { size, bytes: kept, head: kept.subarray(0, HEAD_BYTES), text: undefined };
  }
  const found = { size, bytes, head: bytes.subarray(0, HEAD_BYTES) };
  const short = shortLines(bytes, encoding, wanted);
  if (short !== undefined) return { ...found, text: { ...short, encoding } };
  const index = new LineIndex(newlineOf(encoding));
  const request = { ...wanted, maxCounted: Infinity };
  const lines = yield* readLines({ source: memorySource(bytes), size, encoding, index }, request);
  return { ...found, text: { ...lines, encoding } };
}

function* longContents(
  fd: number,
  { size, key }: FileIdentity,
  wanted: WantedLines,
  encodingOf: (bytes: Buffer) => TextEncoding | undefined,
): Generator<ReadSoFar, FileContents> {
  const source = fileSource(fd);
  const head = source.copy(0, HEAD_BYTES);
  const encoding = encodingOf(wholeLines(head));
  const found = { size, bytes: undefined, head };
  if (encoding === undefined) return { ...found, text: undefined };
  const index = lineIndexOf(key, encoding);
  const request = { ...wanted, maxCounted: COUNTED_BYTES };
  const lines = yield* readLines({ source, size, encoding, index }, request);
  return { ...found, text: { ...lines, encoding } };
}

/** A beginning without the piece of a line that it ends in, which may end within a character. */
function wholeLines(head: Buffer): Buffer {
  const feed = head.includes(0) ? -1 : head.lastIndexOf(10);
  return feed === -1 ? head : head.subarray(0, feed + 1);
}

/** Indexes kept, the ones used last: with 128 KB each at most, 4 MB. */
const MAX_INDEXES = 32;

const indexes = new Map<string, LineIndex>();

/** The line index of a file of that identity: the one it has from an earlier call, or a new one. */
function lineIndexOf(key: string, encoding: TextEncoding): LineIndex {
  const name = `${key}:${encoding.unit === 1 ? "" : encoding.name}`;
  const index = indexes.get(name) ?? new LineIndex(newlineOf(encoding));
  indexes.delete(name);
  indexes.set(name, index);
  const [oldest] = indexes.keys();
  if (indexes.size > MAX_INDEXES && oldest !== undefined) indexes.delete(oldest);
  return index;
}

import type { TextEncoding } from "./text-encoding.ts";

/** How a line feed and a carriage return are written in an encoding. */
export interface Newline {
  readonly feed: Buffer;
  /** The carriage return that may stand before it. */
  readonly carriageReturn: Buffer;
}

/** The line feed of an encoding. */
export function newlineOf({ encode }: TextEncoding): Newline {
  return { feed: encode("\n"), carriageReturn: encode("\r") };
}

/** Bytes of a piece that is counted in one way. */
const PIECE = 4096;
/** Line feeds in a piece from which on looking at each byte of the next one is quicker than looking for each line feed. */
const MANY = 64;

/** How many line feeds there are before `to`, of an encoding in which each is a byte. */
export function countLineFeeds(bytes: Uint8Array, to: number = bytes.length): number {
  let count = 0;
  let many = false;
  for (let from = 0; from < to; from += PIECE) {
    const end = Math.min(to, from + PIECE);
    const before = count;
    if (many) {
      for (let at = from; at < end; at += 1) if (bytes[at] === 10) count += 1;
    } else {
      for (let at = bytes.indexOf(10, from); at !== -1 && at < end; at = bytes.indexOf(10, at + 1)) count += 1;
    }
    many = count - before > MANY;
  }
  return count;
}

/** How many line feeds there are, in any encoding. `bytes` begin where a unit of it does. */
export function countNewlines(bytes: Buffer, newline: Newline): number {
  if (newline.feed.length === 1) return countLineFeeds(bytes);
  let count = 0;
  for (let at = indexOfNewline(bytes, 0, newline); at !== -1; at = indexOfNewline(bytes, at + 2, newline)) count += 1;
  return count;
}

/** Where the last line feed begins, -1 when there is none. `bytes` begin where a unit of the encoding does. */
export function lastIndexOfNewline(bytes: Buffer, { feed }: Newline): number {
  let at = bytes.lastIndexOf(feed);
  while (feed.length === 2 && at > 0 && at % 2 === 1) at = bytes.lastIndexOf(feed, at - 1);
  return at;
}

/**
 * Where the first line feed at or after `from` begins, -1 when there is none. `bytes` begin where a unit of the encoding
 * does: in UTF-16 the same bytes across two units are no line feed.
 */
export function indexOfNewline(bytes: Buffer, from: number, { feed }: Newline): number {
  if (feed.length === 1) return bytes.indexOf(10, from);
  let at = bytes.indexOf(feed, from);
  while (at % 2 === 1) at = bytes.indexOf(feed, at + 1);
  return at;
}

import type { TextEncoding } from "./text-encoding.ts";

/** How a line feed and a carriage return are written in an encoding. */
export interface Newline {
  /** The line feed. */
  readonly feed: Buffer;
  /** The carriage return that may stand before it. */
  readonly carriageReturn: Buffer;
}

/** The line feed of an encoding. */
export function newlineOf({ encode }: TextEncoding): Newline {
  return { feed: encode("\n"), carriageReturn: encode("\r") };
}

/** How many line feeds there are before `to`, of an encoding in which each is a byte. */
export function countLineFeeds(bytes: Buffer, to: number = bytes.length): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1 && at < to; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
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

import type { ByteSource } from "./bytes.ts";
import type { TextEncoding } from "./text-encoding.ts";

/** Bytes looked at in one step. */
const STEP_BYTES = 256 * 1024;
/** Steps between two marks of a new index. */
const STEPS = 4;
/** Most marks of one index: above it, every other is dropped. With 8 bytes each, 128 KB. */
const MAX_MARKS = 16_384;

/**
 * Where the lines of a file begin, kept for every mebibyte of it instead of for every line: any line is then found by
 * looking at a mebibyte, however long the lines are. It grows as far as it is asked to.
 */
export class LineIndex {
  /** Bytes looked at so far, from the beginning. */
  covered = 0;
  /** Line feeds in them. */
  feeds = 0;
  /** Whether that is the whole file. */
  complete = false;
  readonly #newline: Newline;
  readonly #maxMarks: number;
  /** How many line feeds begin before each multiple of the spacing. */
  #marks: number[] = [0];
  #steps = STEPS;
  /** Behind the last line feed. */
  #lastLine = 0;

  constructor(newline: Newline, maxMarks = MAX_MARKS) {
    this.#newline = newline;
    this.#maxMarks = maxMarks;
  }

  /** Lines found so far; when {@link LineIndex.complete}, all. A last line without a line feed counts. */
  get lines(): number {
    return this.feeds + (this.covered > this.#lastLine ? 1 : 0);
  }

  /** Looks at the next step of the file and answers how many bytes that were. */
  extend(source: ByteSource): number {
    const chunk = source.view(this.covered, STEP_BYTES);
    this.feeds += countNewlines(chunk, this.#newline);
    const last = lastIndexOfNewline(chunk, this.#newline);
    if (last !== -1) this.#lastLine = this.covered + last + this.#newline.feed.length;
    this.covered += chunk.length;
    if (chunk.length < STEP_BYTES) this.complete = true;
    else if (this.covered % (this.#steps * STEP_BYTES) === 0) this.#mark();
    return chunk.length;
  }

  /** The byte where line `number` begins: behind as many line feeds. `undefined`: not found so far, or not there. */
  start(number: number, source: ByteSource): number | undefined {
    if (number === 0) return 0;
    if (number > this.feeds) return undefined;
    const mark = this.#lastMarkBefore(number);
    let found = this.#marks[mark] ?? 0;
    for (let position = mark * this.#steps * STEP_BYTES; position < this.covered; position += STEP_BYTES) {
      const chunk = source.view(position, STEP_BYTES);
      const feeds = countNewlines(chunk, this.#newline);
      if (found + feeds < number) {
        found += feeds;
        continue;
      }
      let at = -this.#newline.feed.length;
      while ((at = indexOfNewline(chunk, at + this.#newline.feed.length, this.#newline)) !== -1)
        if ((found += 1) === number) return position + at + this.#newline.feed.length;
    }
    return undefined;
  }

  #mark(): void {
    this.#marks.push(this.feeds);
    if (this.#marks.length <= this.#maxMarks) return;
    this.#marks = this.#marks.filter((_, index) => index % 2 === 0);
    this.#steps *= 2;
  }

  /** The last mark with fewer line feeds before it than `number`. */
  #lastMarkBefore(number: number): number {
    let low = 0;
    let high = this.#marks.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#marks[middle] ?? 0) < number) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

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
function countNewlines(bytes: Buffer, newline: Newline): number {
  if (newline.feed.length === 1) return countLineFeeds(bytes);
  let count = 0;
  for (let at = indexOfNewline(bytes, 0, newline); at !== -1; at = indexOfNewline(bytes, at + 2, newline)) count += 1;
  return count;
}

/** Where the last line feed begins, -1 when there is none. `bytes` begin where a unit of the encoding does. */
function lastIndexOfNewline(bytes: Buffer, { feed }: Newline): number {
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

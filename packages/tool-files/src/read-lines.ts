import fs from "node:fs";
import { SNIFFED_BYTES } from "./binary-reason.ts";

/** Bytes read at a time. */
const CHUNK_BYTES = 256 * 1024;
/** Bytes read before others get a turn. */
const SLICE_BYTES = 4 * 1024 * 1024;
/** Bytes read past the wanted lines only to say how many lines there are. */
const COUNTED_BYTES = 64 * 1024 * 1024;

/** Which lines, and how much of them at most. Lines and bytes are 0-based. */
export interface LineRequest {
  /** First line. */
  readonly startLine: number;
  /** Last line, inclusive. `Infinity`: to the end. */
  readonly endLine: number;
  /** Byte of the first line to begin at, moved on to the next whole UTF-8 character. */
  readonly startByte: number;
  /** Most lines kept. */
  readonly maxLines: number;
  /** Most bytes kept of a line. */
  readonly maxLineBytes: number;
  /** Most bytes kept in all. */
  readonly maxBytes: number;
}

/** One line, or the kept part of one. */
export interface ReadLine {
  /** Its 0-based number. */
  readonly number: number;
  /** Its kept bytes, without its end. */
  readonly bytes: Buffer;
  /** Byte of the line where `bytes` begin. */
  readonly from: number;
  /** How long the line is in bytes, without its end. */
  readonly length: number;
  /** How it ends: `""` at the end of the file. */
  readonly end: "\n" | "\r\n" | "";
}

/** What was found. */
export interface LinesRead {
  /** The kept lines in order. */
  readonly lines: readonly ReadLine[];
  /** Whether a limit ended the reading before the last line asked for. */
  readonly limited: boolean;
  /** How many lines the file has, exactly or at least. A last line without an end counts. */
  readonly total: number;
  /** Whether `total` is exact. */
  readonly exact: boolean;
  /** The first bytes of the file, for judging what it is. */
  readonly head: Buffer;
}

/**
 * Reads lines of an open file of any size in bounded memory. A file of a few megabytes is read at once; a longer one
 * in slices between which others get a turn and `signal` can end the reading.
 */
export function readLines(fd: number, request: LineRequest, signal: () => AbortSignal): LinesRead | Promise<LinesRead> {
  const reading = readSlices(fd, request);
  const first = reading.next();
  return first.done ? first.value : finish(reading, signal());
}

async function finish(reading: Generator<void, LinesRead>, signal: AbortSignal): Promise<LinesRead> {
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    const next = reading.next();
    if (next.done) return next.value;
  }
}

function* readSlices(fd: number, request: LineRequest): Generator<void, LinesRead> {
  const collector = new LineCollector(request);
  let chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, 16 * 1024));
  let head: Buffer | undefined;
  let position = 0;
  let wantedUntil = 0;
  let slice = 0;
  for (;;) {
    const length = fs.readSync(fd, chunk, 0, chunk.length, position);
    if (length === 0) break;
    const bytes = chunk.subarray(0, length);
    head ??= Buffer.from(bytes.subarray(0, SNIFFED_BYTES));
    position += length;
    collector.feed(bytes);
    if (!collector.finished) wantedUntil = position;
    if (position - wantedUntil > COUNTED_BYTES) return { ...collector.result(false), head };
    if (length === chunk.length && chunk.length < CHUNK_BYTES) chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    slice += length;
    if (slice >= SLICE_BYTES) {
      slice = 0;
      yield;
    }
  }
  return { ...collector.result(true), head: head ?? Buffer.alloc(0) };
}

/** Keeps the wanted part of what it is fed and counts lines. */
class LineCollector {
  /** Whether everything wanted was found, or a limit reached: what follows is only counted. */
  finished = false;
  readonly #request: LineRequest;
  readonly #lines: ReadLine[] = [];
  #number = 0;
  #length = 0;
  #last = 0;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #total = 0;
  #limited = false;

  constructor(request: LineRequest) {
    this.#request = request;
  }

  feed(chunk: Buffer): void {
    let from = 0;
    while (from < chunk.length) {
      const newline = chunk.indexOf(10, from);
      const to = newline === -1 ? chunk.length : newline;
      if (to > from) this.#part(chunk, from, to);
      if (newline === -1) return;
      this.#endLine("\n");
      from = newline + 1;
    }
  }

  result(atEnd: boolean): Omit<LinesRead, "head"> {
    if (this.#length > 0 && atEnd) this.#endLine("");
    return {
      lines: this.#lines,
      limited: this.#limited,
      total: this.#number + (atEnd || this.#length === 0 ? 0 : 1),
      exact: atEnd,
    };
  }

  get #wanted(): boolean {
    return !this.finished && this.#number >= this.#request.startLine;
  }

  get #skipped(): number {
    return this.#number === this.#request.startLine ? this.#request.startByte : 0;
  }

  #part(chunk: Buffer, from: number, to: number): void {
    // One byte more than is kept, so that a carriage return at the cut is known for what it is.
    const room = this.#request.maxLineBytes + 1 - this.#keptBytes;
    const skip = Math.max(0, this.#skipped - this.#length);
    if (this.#wanted && room > 0 && from + skip < to) {
      const kept = Buffer.from(chunk.subarray(from + skip, Math.min(to, from + skip + room)));
      this.#kept.push(kept);
      this.#keptBytes += kept.length;
    }
    this.#length += to - from;
    this.#last = chunk[to - 1] ?? 0;
  }

  #endLine(newline: "\n" | ""): void {
    if (this.#wanted) this.#keep(newline);
    this.#number += 1;
    this.#length = 0;
    this.#last = 0;
    this.#kept = [];
    this.#keptBytes = 0;
    if (this.#number > this.#request.endLine) this.finished = true;
  }

  #keep(newline: "\n" | ""): void {
    const returned = newline === "\n" && this.#last === 13;
    const length = this.#length - (returned ? 1 : 0);
    const whole = Buffer.concat(this.#kept);
    const begin = this.#skipped > 0 ? nextCharacter(whole, 0) : 0;
    const from = Math.min(this.#skipped + begin, length);
    const available = Math.min(whole.length - begin, length - from, this.#request.maxLineBytes);
    const cut = from + available < length;
    const bytes = whole.subarray(begin, begin + (cut ? characterStart(whole.subarray(begin), available) : available));
    // Eleven for the number, the tab and the end.
    const cost = bytes.length + 11;
    if (
      this.#lines.length === this.#request.maxLines ||
      (this.#total + cost > this.#request.maxBytes && this.#lines.length > 0)
    ) {
      this.#limited = true;
      this.finished = true;
      return;
    }
    this.#total += cost;
    this.#lines.push({ number: this.#number, bytes, from, length, end: returned ? "\r\n" : newline });
  }
}

/** The first place at or after `from` where a UTF-8 character begins; after three bytes it is no UTF-8 at all. */
function nextCharacter(bytes: Buffer, from: number): number {
  let at = from;
  while (at < from + 3 && at < bytes.length && (bytes[at]! & 0xc0) === 0x80) at += 1;
  return at;
}

/** The last place at or before `to` where a UTF-8 character begins. */
function characterStart(bytes: Buffer, to: number): number {
  for (let at = to; at > to - 4 && at > 0; at -= 1) if ((bytes[at] ?? 0) >> 6 !== 2) return at;
  return to;
}

import { isAscii } from "node:buffer";
import type { ByteSource } from "../text/bytes.ts";
import { indexOfNewline, type LineIndex, type Newline, newlineOf } from "../text/line-index.ts";
import type { TextEncoding } from "../text/text-encoding.ts";

/** Bytes looked at before the event loop may do other work. */
const SLICE_BYTES = 4 * 1024 * 1024;
/** Milliseconds after which it may in any case. */
const SLICE_MS = 10;
/** Bytes of the file held to look for lines in. */
const WINDOW_BYTES = 64 * 1024;
/** Size of a line beside its bytes: its number, the tab and its end. */
export const LINE_COST = 11;

/** Which lines, and how much of them at most. Lines and bytes are 0-based. */
export interface LineRequest {
  readonly startLine: number;
  /** Last line, inclusive. `Infinity`: to the end. */
  readonly endLine: number;
  /** Byte of the first line to begin at, moved on to the next whole character. */
  readonly startByte: number;
  readonly maxLines: number;
  readonly maxLineBytes: number;
  readonly maxBytes: number;
  /** Most bytes looked at only to say how many lines there are. */
  readonly maxCounted: number;
}

/** Which lines are wanted. How much is read only to count lines is decided by the length of the file. */
export type WantedLines = Omit<LineRequest, "maxCounted">;

/** One line, or the kept part of one. */
export interface ReadLine {
  readonly number: number;
  /** The kept part as well-formed text, without its end and a byte order mark. */
  readonly text: string;
  /** Byte of the line where the kept part begins. */
  readonly from: number;
  readonly kept: number;
  /** How long the line is in bytes, without its end. */
  readonly length: number;
  /** How it ends: `""` at the end of the file. */
  readonly end: "\n" | "\r\n" | "";
  /** The first kept byte that means nothing, `at` from the beginning of the line. */
  readonly invalid: InvalidByte | undefined;
}

export interface LinesRead {
  /** The kept lines in order. */
  readonly lines: readonly ReadLine[];
  /** Their text, each with its end unless it was cut. */
  readonly content: string;
  /** Which limit ended the reading before the last line asked for. */
  readonly limited: "lines" | "bytes" | undefined;
  /** How many lines the file has, exactly or at least. A last line without an end counts. */
  readonly total: number;
  readonly exact: boolean;
}

/** Whether only a part of the line is kept, and there is more behind it. */
export function isCut({ from, kept, length }: ReadLine): boolean {
  return from + kept < length;
}

interface TextFile {
  readonly source: ByteSource;
  readonly size: number;
  readonly encoding: TextEncoding;
  /** Where its lines begin, as far as is known; learns more. */
  readonly index: LineIndex;
}

/** How far a long reading has come, in bytes. */
export interface ReadSoFar {
  readonly done: number;
  readonly total: number;
}

/**
 * Reads lines of a file of any size in bounded memory. Yields after every few megabytes, so that the event loop may do
 * other work and the caller can end it; the index keeps the lines seen by then.
 */
export function* readLines(file: TextFile, request: LineRequest): Generator<ReadSoFar, LinesRead> {
  const { source, size, index } = file;
  const reader = new LineReader(file, request);
  yield* reader.cover(request.startLine);
  const start = index.start(request.startLine, source);
  if (start !== undefined) yield* reader.read(start);
  if (size - index.covered <= request.maxCounted) yield* reader.cover(Infinity);
  const { lines, limited } = reader;
  const total = Math.max(index.lines, (lines.at(-1)?.number ?? -1) + 1);
  const content = lines.map((line) => (isCut(line) ? line.text : line.text + line.end)).join("");
  return { lines, content, limited, total, exact: index.complete };
}

class LineReader {
  readonly lines: ReadLine[] = [];
  limited: LinesRead["limited"];
  readonly #file: TextFile;
  readonly #newline: Newline;
  readonly #request: LineRequest;
  #window: Buffer = Buffer.alloc(0);
  #windowAt = 0;
  #slice = 0;
  #since = performance.now();
  #cost = 0;

  constructor(file: TextFile, request: LineRequest) {
    this.#file = file;
    this.#newline = newlineOf(file.encoding);
    this.#request = request;
  }

  /** Extends the index until it knows so many line feeds, or the whole file. */
  *cover(feeds: number): Generator<ReadSoFar, void> {
    const { index, source, size } = this.#file;
    while (!index.complete && index.feeds < feeds) {
      this.#slice += index.extend(source);
      if (this.#slice < SLICE_BYTES && performance.now() - this.#since < SLICE_MS) continue;
      this.#slice = 0;
      yield { done: index.covered, total: size };
      this.#since = performance.now();
    }
  }

  /** Keeps lines from the one that begins at `start` up to the last one wanted, or to a limit. */
  *read(start: number): Generator<ReadSoFar, void> {
    const { startLine, endLine } = this.#request;
    let begin = start;
    for (let number = startLine; number <= endLine; number += 1) {
      const feed = this.#feedAfter(begin) ?? (yield* this.#farFeed(number));
      const end = feed ?? this.#windowAt + this.#window.length;
      if (feed === undefined && end === begin) return;
      if (!this.#keep(number, begin, end, feed !== undefined) || feed === undefined) return;
      begin = feed + this.#newline.feed.length;
    }
  }

  /** The first line feed from `begin` on, if it is near; the window is then where it is. */
  #feedAfter(begin: number): number | undefined {
    const at = indexOfNewline(this.#window, begin - this.#windowAt, this.#newline);
    if (at !== -1) return this.#windowAt + at;
    this.#window = this.#file.source.copy(begin, WINDOW_BYTES);
    this.#windowAt = begin;
    const near = indexOfNewline(this.#window, 0, this.#newline);
    return near === -1 ? undefined : this.#windowAt + near;
  }

  /** The line feed of a line that does not end in the window. `undefined`: the file ends there, and so does the window. */
  *#farFeed(number: number): Generator<ReadSoFar, number | undefined> {
    if (this.#window.length < WINDOW_BYTES) return undefined;
    const { index, source } = this.#file;
    yield* this.cover(number + 1);
    const next = index.start(number + 1, source);
    if (next !== undefined) return next - this.#newline.feed.length;
    this.#window = Buffer.alloc(0);
    this.#windowAt = index.covered;
    return undefined;
  }

  /**
   * Keeps the wanted part of a line from `begin` to `end`, where its line feed is if it has one. `false`: a limit was
   * reached, it is not kept.
   */
  #keep(number: number, begin: number, end: number, ended: boolean): boolean {
    const { startLine, startByte, maxLines, maxBytes, maxLineBytes } = this.#request;
    const { encoding } = this.#file;
    const { carriageReturn } = this.#newline;
    const returned = ended && this.#bytes(Math.max(begin, end - carriageReturn.length), end).equals(carriageReturn);
    const length = end - begin - (returned ? carriageReturn.length : 0);
    const skip = number === startLine ? Math.min(startByte, length) : 0;
    const wanted = Math.min(length, skip + maxLineBytes + 2 * MAX_CHARACTER_BYTES);
    const rest = this.#bytes(begin + skip, begin + wanted);
    const into = skip === 0 ? 0 : Math.min(restOfCharacter(rest, encoding, skip), rest.length);
    const whole = rest.subarray(into);
    const bytes = whole.subarray(0, wholeCharacters(whole, encoding, maxLineBytes));
    const cost = bytes.length + LINE_COST;
    if (this.lines.length === maxLines) this.limited = "lines";
    else if (this.#cost + cost > maxBytes && this.lines.length > 0) this.limited = "bytes";
    if (this.limited !== undefined) return false;
    this.#cost += cost;
    const from = skip + into;
    const decoded = encoding.decode(bytes);
    const invalid = invalidByte(bytes, decoded, encoding);
    const text = begin + from === 0 && encoding.mark.length > 0 ? decoded.replace(/^\ufeff/, "") : decoded;
    this.lines.push({
      number,
      text: text.toWellFormed(),
      from,
      kept: bytes.length,
      length,
      end: ended ? (returned ? "\r\n" : "\n") : "",
      invalid: invalid && { ...invalid, at: from + invalid.at },
    });
    return true;
  }

  #bytes(from: number, to: number): Buffer {
    const inWindow = from >= this.#windowAt && to <= this.#windowAt + this.#window.length;
    if (inWindow) return this.#window.subarray(from - this.#windowAt, to - this.#windowAt);
    return this.#file.source.copy(from, to - from);
  }
}

/** Longest file read so, in bytes. */
const MAX_BYTES = 256 * 1024;

/** A fast path of `readLines` for the usual file: short, valid UTF-8 and no line to cut. `undefined` for any other. */
export function shortLines(bytes: Buffer, encoding: TextEncoding, request: WantedLines): LinesRead | undefined {
  const { startLine, endLine, startByte, maxLines, maxLineBytes, maxBytes } = request;
  if (bytes.length > MAX_BYTES || encoding.name !== "UTF-8" || encoding.mark.length > 0 || startByte > 0)
    return undefined;
  const ascii = isAscii(bytes);
  const whole = bytes.toString("utf8");
  const all = whole.split("\n");
  // Behind the last line feed there is no line.
  const closed = all.at(-1) === "";
  const total = all.length - (closed ? 1 : 0);
  const last = Math.min(endLine, total - 1);
  const lines: ReadLine[] = [];
  let limited: LinesRead["limited"];
  let cost = 0;
  let begin = 0;
  for (let number = 0; number < Math.min(startLine, all.length); number += 1) begin += (all[number]?.length ?? 0) + 1;
  let end = begin;
  for (let number = startLine; number <= last; number += 1) {
    const line = all[number] ?? "";
    const ended = closed || number < total - 1;
    const returned = ended && line.endsWith("\r");
    const text = returned ? line.slice(0, -1) : line;
    const length = ascii ? text.length : Buffer.byteLength(text);
    if (length > maxLineBytes) return undefined;
    cost += length + LINE_COST;
    if (lines.length === maxLines) limited = "lines";
    else if (cost > maxBytes && lines.length > 0) limited = "bytes";
    if (limited !== undefined) break;
    end += line.length + 1;
    lines.push({
      number,
      text,
      from: 0,
      kept: length,
      length,
      end: ended ? (returned ? "\r\n" : "\n") : "",
      invalid: undefined,
    });
  }
  return { lines, content: whole.slice(begin, end), limited, total, exact: true };
}

/** Bytes of the longest character: those of UTF-8, UTF-16 and GB18030. */
const MAX_CHARACTER_BYTES = 4;

/** Bytes at the beginning of `bytes` that end a character begun before them. 0 where that cannot be seen. */
function restOfCharacter(bytes: Buffer, { name, unit }: TextEncoding, position: number): number {
  if (unit === 2) {
    const odd = position % 2;
    return odd + (isLowSurrogate(bytes, odd, name) ? 2 : 0);
  }
  if (!isUtf8Like(name)) return 0;
  let at = 0;
  // After three bytes it is no UTF-8 at all.
  while (at < MAX_CHARACTER_BYTES - 1 && at < bytes.length && isContinuation(bytes, at)) at += 1;
  return at;
}

/**
 * The length of the longest beginning of `bytes`, at most `max`, that ends between two characters. `bytes` begin with a
 * character and go on for {@link MAX_CHARACTER_BYTES} beyond `max` or to the end of the text.
 */
function wholeCharacters(bytes: Buffer, encoding: TextEncoding, max: number): number {
  if (bytes.length <= max) return bytes.length;
  const { name, unit } = encoding;
  if (unit === 2) {
    const even = max - (max % 2);
    return isLowSurrogate(bytes, even, name) ? even - 2 : even;
  }
  const least = Math.max(1, max - MAX_CHARACTER_BYTES + 1);
  for (let at = max; at >= least; at -= 1) {
    if (isUtf8Like(name) ? !isContinuation(bytes, at) : gives(bytes.subarray(0, at), encoding)) return at;
  }
  return max;
}

function isUtf8Like(name: string): boolean {
  return name.startsWith("UTF-8") || name === "unknown";
}

function isContinuation(bytes: Buffer, at: number): boolean {
  return (bytes[at] ?? 0) >> 6 === 2;
}

function isLowSurrogate(bytes: Buffer, at: number, name: string): boolean {
  if (at + 1 >= bytes.length) return false;
  const unit = name === "UTF-16LE" ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
  return unit >> 10 === 0xdc00 >> 10;
}

/** Whether text and bytes give each other, which they do not when the last character is in part missing. */
function gives(bytes: Buffer, { decode, encode }: TextEncoding): boolean {
  const text = decode(bytes);
  return !text.endsWith("\ufffd") && encode(text).equals(bytes);
}

/** A byte that means nothing in the encoding of its file, and is shown as U+FFFD. */
interface InvalidByte {
  readonly at: number;
  /** The byte itself, two hexadecimal digits. */
  readonly hex: string;
}

/** The first byte of `bytes` that cannot be decoded; `text` is their decoded form. */
function invalidByte(bytes: Buffer, text: string, encoding: TextEncoding): InvalidByte | undefined {
  const at = encoding.unit === 2 ? brokenUnit(bytes, text) : badByte(bytes, text, encoding);
  return at === -1 ? undefined : { at, hex: bytes.toString("hex", at, at + 1) };
}

function brokenUnit(bytes: Buffer, text: string): number {
  if (text.isWellFormed()) return bytes.length % 2 === 0 ? -1 : bytes.length - 1;
  return text.search(/\p{Surrogate}/u) * 2;
}

/** The first byte shown as U+FFFD, which the text may also hold itself. */
function badByte(bytes: Buffer, text: string, { name }: TextEncoding): number {
  let at = text.indexOf("\ufffd");
  if (at === -1 || (!name.startsWith("UTF-8") && name !== "unknown")) return -1;
  for (; at !== -1; at = text.indexOf("\ufffd", at + 1)) {
    const place = Buffer.byteLength(text.slice(0, at));
    if (bytes.toString("hex", place, place + 3) !== "efbfbd") return place;
  }
  return -1;
}

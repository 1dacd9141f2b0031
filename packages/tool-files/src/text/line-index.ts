import type { ByteSource } from "./byte-source.ts";
import { countNewlines, indexOfNewline, lastIndexOfNewline, type Newline } from "./newline.ts";

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

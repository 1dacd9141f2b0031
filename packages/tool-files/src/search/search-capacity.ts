import type { SearchMatch } from "./search-match.ts";

/** Characters of matches in one answer: with its notes it stays below the limit of an answer. */
const MAX_CHARS = 80_000;

/** How much more an answer can hold. Once it is full, there is more than it holds. */
export class SearchCapacity {
  #units: number;
  #chars = MAX_CHARS;

  /** `units`: matching lines, or files, one more than are shown: the last one proves that there are more. */
  constructor(units: number) {
    this.#units = units;
  }

  /** Lines or files it takes more. */
  get units(): number {
    return this.#units;
  }

  get isFull(): boolean {
    return this.#units <= 0 || this.#chars <= 0;
  }

  /** Takes a file in place of lines. */
  takeFile(path: string): void {
    this.#take(path.length);
  }

  /** Takes a matching line of a file. */
  takeLine(path: string, { text, before, after }: SearchMatch): void {
    let chars = path.length + text.length;
    for (const line of before) chars += line.length + path.length;
    for (const line of after) chars += line.length + path.length;
    this.#take(chars);
  }

  #take(chars: number): void {
    this.#units -= 1;
    this.#chars -= chars + 8;
  }
}

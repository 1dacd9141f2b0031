/**
 * A text with one line ending, as a model sees it: every CRLF as LF, with the way back. Matching here ignores line ends; parts cut out and
 * kept come from the original text.
 */
export class LineEndView {
  /** The text without the carriage returns that stand before a line feed. */
  readonly text: string;
  /** Places in {@link LineEndView.text} of the line feeds that lost one, in order. */
  readonly #feeds: Int32Array;

  private constructor(text: string, feeds: Int32Array) {
    this.text = text;
    this.#feeds = feeds;
  }

  static of(original: string): LineEndView {
    if (!original.includes("\r\n")) return LineEndView.plain(original);
    const feeds: number[] = [];
    for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2))
      feeds.push(at - feeds.length);
    return new LineEndView(original.replaceAll("\r\n", "\n"), Int32Array.from(feeds));
  }

  /** A text that is seen as it is, carriage returns too. */
  static plain(text: string): LineEndView {
    return new LineEndView(text, new Int32Array(0));
  }

  /** The place in the original of a place in {@link LineEndView.text}; of a line feed, that of its carriage return. */
  toOriginal(offset: number): number {
    return offset + this.#feedsBefore((middle) => this.#feeds[middle]! < offset);
  }

  /**
   * The view of `original` after the piece between two places of it was replaced by `piece`. Does not read the rest of
   * the text. `undefined` if a carriage return is at an edge of the pieces: its line end may have changed.
   */
  replaced(original: string, from: number, to: number, piece: string): LineEndView | undefined {
    if (original[from - 1] === "\r" || original[to - 1] === "\r" || piece.endsWith("\r")) return undefined;
    const before = this.#feedsBefore((middle) => this.#feeds[middle]! + middle < from);
    const after = this.#feedsBefore((middle) => this.#feeds[middle]! + middle < to);
    const inside = LineEndView.of(piece);
    const start = from - before;
    const moved = start + inside.text.length - (to - after);
    const feeds = new Int32Array(before + inside.#feeds.length + this.#feeds.length - after);
    feeds.set(this.#feeds.subarray(0, before));
    feeds.set(
      inside.#feeds.map((feed) => feed + start),
      before,
    );
    feeds.set(
      this.#feeds.subarray(after).map((feed) => feed + moved),
      before + inside.#feeds.length,
    );
    return new LineEndView(this.text.slice(0, start) + inside.text + this.text.slice(to - after), feeds);
  }

  /** How many feeds, in order, come before the first that is not `before` a place. */
  #feedsBefore(before: (index: number) => boolean): number {
    let [low, high] = [0, this.#feeds.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (before(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * A text seen as a model sees it, every CRLF as LF, with the way back. Matching here is blind to line ends; what is
 * cut out and kept is the text itself.
 */
export interface LineEndView {
  /** The text without the carriage returns that stand before a line feed. */
  readonly text: string;
  /** The place in the original of a place in {@link LineEndView.text}; of a line feed, that of its carriage return. */
  toOriginal(offset: number): number;
}

/** The view of `original`, which is the original itself when it has no CRLF. */
export function lineEndView(original: string): LineEndView {
  if (!original.includes("\r\n")) return { text: original, toOriginal: (offset) => offset };
  return {
    text: original.replaceAll("\r\n", "\n"),
    toOriginal(offset) {
      let removed = 0;
      for (let at = original.indexOf("\r\n"); at !== -1 && at - removed < offset; at = original.indexOf("\r\n", at + 2))
        removed += 1;
      return offset + removed;
    },
  };
}

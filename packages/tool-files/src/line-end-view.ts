/**
 * Bytes seen as a model sees them, every CRLF as LF, with the way back. Matching here is blind to line ends; what is
 * cut out and kept are the bytes themselves.
 */
export interface LineEndView {
  /** The bytes without the carriage returns that stand before a line feed. */
  readonly bytes: Buffer;
  /** The place in the original bytes of a place in {@link LineEndView.bytes}; of a line feed, that of its carriage return. */
  toOriginal(offset: number): number;
}

/** The view of `original`, which is the original itself when it has no CRLF. */
export function lineEndView(original: Buffer): LineEndView {
  if (!original.includes("\r\n")) return { bytes: original, toOriginal: (offset) => offset };
  // One character a byte: the quickest way through a long file.
  const bytes = Buffer.from(original.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
  return {
    bytes,
    toOriginal(offset) {
      let removed = 0;
      for (let at = original.indexOf("\r\n"); at !== -1 && at - removed < offset; at = original.indexOf("\r\n", at + 2))
        removed += 1;
      return offset + removed;
    },
  };
}

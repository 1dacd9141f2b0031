/** A text file before and after somebody changed it. */
export interface FileChange {
  /** Where it is from, for a report. */
  readonly source: string;
  /** Its text before. */
  readonly before: string;
  /** Its text after. */
  readonly after: string;
}

/** Bytes of a file that is looked at. */
const MAX_LENGTH = 200_000;

/** The change, if both are plain UTF-8 text of a usual length with LF line ends, and differ. */
export function fileChange(source: string, before: Buffer, after: Buffer): FileChange | undefined {
  const texts = [before, after].map((bytes) => bytes.toString("utf8"));
  const [old = "", now = ""] = texts;
  const plain = texts.every((text) => text.length > 0 && text.length < MAX_LENGTH && !/[\0\r\ufeff\ufffd]/.test(text));
  const lines = Math.max(...old.split("\n").map((line) => line.length));
  return plain && old !== now && lines < 500 ? { source, before: old, after: now } : undefined;
}

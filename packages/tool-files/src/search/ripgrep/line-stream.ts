import { setImmediate as nextTick } from "node:timers/promises";
import { countLineFeeds } from "../../text/newline.ts";
import { SEARCHED_LINE_BYTES } from "../search-match.ts";
import type { SearchedText } from "../searched-text.ts";

const CHUNK_BYTES = 64 * 1024;

/** An open file that is searched as a part of a stream. */
export interface StreamedFile {
  readonly path: string;
  readonly text: SearchedText;
  /** Where it begins in the stream, once it was reached: byte, and number of its first line. */
  start: { readonly offset: number; readonly line: number } | undefined;
  /** Offsets in the stream at which bytes of a long line were left out, with the sum of bytes left out up to there. */
  readonly cuts: { readonly offset: number; readonly skipped: number }[];
}

/**
 * Streams open files one after the other. Unless `whole`, ends each file with a line end and, in a file that is not held,
 * truncates each line to the searched part, to bound the memory of the stream's reader.
 */
export async function* lineStream(files: readonly StreamedFile[], whole: boolean): AsyncGenerator<Buffer> {
  let [offset, line] = [0, 0];
  for (const file of files) {
    let [position, lineLength, skipped] = [0, 0, 0];
    const uncut = whole || file.text.held !== undefined;
    file.start = { offset, line };
    for (;;) {
      const read = readChunk(file.text, position);
      if (read.length === 0) break;
      // Only the line that has begun before can be too long here.
      const first = read.indexOf(10);
      const end = first === -1 ? read.length : first;
      const kept = uncut ? end : Math.min(end, Math.max(0, SEARCHED_LINE_BYTES - lineLength));
      if (kept < end) {
        skipped += end - kept;
        file.cuts.push({ offset: offset + kept, skipped });
      }
      const last = read.lastIndexOf(10);
      lineLength = last === -1 ? lineLength + read.length : read.length - last - 1;
      line += countLineFeeds(read);
      position += read.length;
      offset += read.length - end + kept;
      if (kept === end) yield read;
      else if (kept > 0 || end < read.length) yield Buffer.concat([read.subarray(0, kept), read.subarray(end)]);
      else await nextTick();
    }
    if (lineLength > 0 && !whole) {
      yield Buffer.from("\n");
      [offset, line] = [offset + 1, line + 1];
    }
  }
}

/** The byte of a file at an offset of the stream. */
export function fileOffset({ start, cuts }: StreamedFile, offset: number): number {
  const skipped = cuts.findLast((cut) => cut.offset <= offset)?.skipped ?? 0;
  return offset - (start?.offset ?? 0) + skipped;
}

/** The next bytes of a file; none at its end, or where it cannot be read. */
function readChunk(text: SearchedText, position: number): Buffer {
  try {
    return text.read(position, CHUNK_BYTES);
  } catch {
    return Buffer.alloc(0);
  }
}

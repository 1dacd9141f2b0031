import type { Writable } from "node:stream";

/** A batch of this size is written at once, in characters. */
const MAX_BATCH_CHARS = 65_536;

/** Writes a line. `sent` is called when the line has left, or cannot leave any more. */
type WriteLine = (line: string, sent: () => void) => void;

/** Writes the lines of one tick as one text: a system call takes longer than most messages do, and so do many small ones. */
export function batchedWriter(stream: Writable): WriteLine {
  let text = "";
  let waiting: (() => void)[] = [];
  const flush = (): void => {
    if (text === "") return;
    const [batch, left] = [text, waiting];
    text = "";
    waiting = [];
    stream.write(batch, () => {
      for (const sent of left) sent();
    });
  };
  return (line, sent) => {
    if (text === "") process.nextTick(flush);
    text += `${line}\n`;
    waiting.push(sent);
    if (text.length > MAX_BATCH_CHARS) flush();
  };
}

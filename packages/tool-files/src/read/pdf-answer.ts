import { success, type ToolSuccess } from "@dispatch/tools-interface";
import { pdfText } from "../document/pdf-text.ts";
import { memorySource } from "../text/byte-source.ts";
import { LineIndex } from "../text/line-index.ts";
import type { LineNumbers } from "../text/line-numbers.ts";
import { newlineOf } from "../text/newline.ts";
import { UTF8 } from "../text/text-encoding.ts";
import { TimeSlice } from "../thread/time-slice.ts";
import { contentVersion } from "../version/content-version.ts";
import { readLines, type WantedLines } from "./read-lines.ts";
import type { ReadOutput, ReadParameters } from "./read-schema.ts";
import { programAnswer, textAnswer } from "./text-answer.ts";

export interface PdfCall {
  readonly attempt: string;
  readonly path: string;
  readonly params: ReadParameters;
  readonly wanted: WantedLines;
  readonly numbers: LineNumbers;
  readonly byProgram: boolean;
  readonly signal: AbortSignal;
}

/** The answer that shows lines of the text of a PDF, as those of a text file are shown. */
export async function pdfAnswer(bytes: Buffer, call: PdfCall): Promise<ToolSuccess<ReadOutput>> {
  const { attempt, path, params, numbers, signal } = call;
  const { text, notes } = await pdfText(bytes, params.pages, attempt, signal);
  const all = Buffer.from(text);
  const total = text.split("\n").length - 1;
  const { startLine } = call.wanted;
  const wanted = { ...call.wanted, startLine: startLine < 0 ? Math.max(0, total + startLine) : startLine };
  const source = { source: memorySource(all), size: all.length, encoding: UTF8, index: new LineIndex(newlineOf(UTF8)) };
  const reading = readLines(source, { ...wanted, maxCounted: Infinity });
  const slice = new TimeSlice();
  let next = reading.next();
  for (; next.done !== true; next = reading.next()) await slice.pause(signal);
  const read = { ...next.value, encoding: UTF8 };
  const shown = { ...params, start_line: numbers.of(wanted.startLine) };
  const answer = call.byProgram ? programAnswer : textAnswer;
  const { output, data } = answer(attempt, path, shown, read, contentVersion(bytes), numbers);
  const said = notes.map((note) => `[${note}]`).join("\n");
  return success(
    `${said}\n${output}`,
    data === undefined ? {} : { data: { ...data, encoding: null } },
  ) as ToolSuccess<ReadOutput>;
}

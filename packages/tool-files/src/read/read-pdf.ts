import { success, type ToolSuccess } from "@dispatch/tools-interface";
import { GuardedWork } from "../document/guarded-work.ts";
import { peerModule } from "../document/peer-module.ts";
import { BinaryFileError, FilesError } from "../error/files-error.ts";
import { memorySource } from "../text/bytes.ts";
import { LineIndex, newlineOf } from "../text/line-index.ts";
import { UTF8 } from "../text/text-encoding.ts";
import { TimeSlice } from "../thread/time-slice.ts";
import { contentVersion } from "../version/content-version.ts";
import { readLines, type WantedLines } from "./read-lines.ts";
import type { ReadOutput } from "./read-schema.ts";
import type { ReadCall, textAnswer } from "./text-answer.ts";

interface PdfCall extends ReadCall {
  readonly wanted: WantedLines;
  /** Makes the answer of the text. */
  readonly answer: typeof textAnswer;
  readonly signal: AbortSignal;
}

/** The answer that shows lines of the text of a PDF, as those of a text file are shown. */
export async function pdfAnswer(bytes: Buffer, call: PdfCall): Promise<ToolSuccess<ReadOutput>> {
  const { attempt, params, numbers, signal } = call;
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
  const { output, data } = call.answer({ ...call, params: shown }, read, contentVersion(bytes));
  const said = notes.map((note) => `[${note}]`).join("\n");
  return success(
    `${said}\n${output}`,
    data === undefined ? {} : { data: { ...data, encoding: null } },
  ) as ToolSuccess<ReadOutput>;
}

const work = new GuardedWork("pdfPages");

/** The text of a PDF, and notes for the answer. */
interface PdfText {
  /** A line with its number before each page. */
  readonly text: string;
  readonly notes: readonly string[];
}

/** Whether the optional package that reads them is installed. */
export function canReadPdf(): boolean {
  return peerModule("unpdf") !== undefined;
}

/** Whether a file begins as a PDF does. */
export function isPdf(head: Buffer): boolean {
  return head.toString("latin1", 0, 5) === "%PDF-";
}

/**
 * The text of pages of a PDF, in drawing order. Text drawn as an image is not included.
 *
 * @throws {FilesError} When it is encrypted, damaged (`binary_file`) or takes too much, or the package for it is not
 * installed.
 */
async function pdfText(
  bytes: Buffer,
  pages: string | undefined,
  attempt: string,
  signal: AbortSignal,
): Promise<PdfText> {
  const { from, to } = pageRange(pages, attempt);
  const module = peerModule("unpdf");
  if (module === undefined)
    throw new BinaryFileError(
      `${attempt}: it is a PDF, whose text is read where the optional package unpdf is installed; turn it into text with another tool`,
    );
  const answer = await work.run({ module, bytes, from, to }, attempt, signal);
  if ("failed" in answer)
    throw new BinaryFileError(
      answer.failed === "password"
        ? `${attempt}: it is a PDF that a password protects, allowed are those without`
        : `${attempt}: it begins like a PDF and is damaged; use another tool for it`,
    );
  const { total, full } = answer;
  const last = answer.pages.at(-1)?.number;
  if (last === undefined)
    throw new FilesError(`${attempt}: it has ${total} pages, pages ${from} to ${to} are not among them`, {
      code: "invalid_range",
    });
  const text = answer.pages.map((page) => `--- page ${page.number} of ${total} ---\n${page.text.trimEnd()}\n`).join("");
  const shown = `text of PDF pages ${from} to ${last} of ${total}; images, the layout and text outside of a page are not in it`;
  const empty = answer.pages.filter((page) => page.text.trim() === "").map(({ number }) => number);
  const next = Math.min(total, last + MAX_PAGES);
  return {
    text,
    notes: [
      last < total ? `${shown}; go on with pages "${last + 1}-${next}"` : shown,
      ...(empty.length > 0 ? [`without any text, perhaps scanned: pages ${empty.join(", ")}`] : []),
      ...(full ? [`page ${last} is cut, the text is too long`] : []),
    ],
  };
}

/** Pages of one call. */
const MAX_PAGES = 20;

/**
 * The first and the last page of `"3"`, `"3-5"` or `"3-"`, from 1; without any the first {@link MAX_PAGES}.
 *
 * @throws {FilesError} Code `invalid_range`.
 */
function pageRange(pages: string | undefined, attempt: string): { readonly from: number; readonly to: number } {
  if (pages === undefined) return { from: 1, to: MAX_PAGES };
  const [, first, dash, last = ""] = /^\s*(\d{1,7})\s*(-\s*(\d{1,7})?)?\s*$/.exec(pages) ?? [];
  const from = Number(first);
  const to = dash === undefined ? from : last === "" ? from + MAX_PAGES - 1 : Number(last);
  if (from >= 1 && to >= from && to - from < MAX_PAGES) return { from, to };
  throw new FilesError(
    `${attempt}: found pages ${JSON.stringify(pages)}, allowed is one such as "3" or a range such as "3-5", up to ${MAX_PAGES} pages`,
    { code: "invalid_range" },
  );
}

import { BinaryFileError, FilesError } from "../error/files-error.ts";
import { GuardedWork } from "./guarded-work.ts";
import { MAX_PAGES, pageRange } from "./page-range.ts";
import { peerModule } from "./peer-module.ts";

const work = new GuardedWork("pdfPages");

/** The text of a PDF, and notes for the answer. */
export interface PdfText {
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
export async function pdfText(
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

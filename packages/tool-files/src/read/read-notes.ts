import type { LineNumbers } from "../text/line-numbers.ts";
import type { TextEncoding } from "../text/text-encoding.ts";
import type { LinesRead, ReadLine } from "./read-lines.ts";

/** Places of invalid bytes that are named. */
const NAMED_PLACES = 3;

/** Parameters of a call that reads on. */
export interface NextCall {
  readonly path: string;
  /** First line, as a model counts them. */
  readonly start_line: number;
  /** Last line, when one was asked for. */
  readonly end_line?: number;
  /** Byte of the first line to begin at. */
  readonly start_byte?: number;
  /** Pages of a PDF, when some were asked for. */
  readonly pages?: string;
  /** Encoding, when one was stated. */
  readonly encoding?: string;
}

/** The lines read, for {@link rangeNotes}. */
export interface RangeRead extends LinesRead {
  /** The byte of the first line that was asked for. */
  readonly startByte: number;
  /** The call that reads on after the last line, when a limit ended the reading. */
  readonly next: NextCall | null;
  /** Most lines and most bytes of one answer. */
  readonly limits: { readonly lines: number; readonly bytes: number };
  readonly numbers: LineNumbers;
}

/** Which part of the file is shown and how to read on. None when it is the whole file. */
export function rangeNotes({ lines, total, exact, limited, startByte, next, limits, numbers }: RangeRead): string[] {
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return ["the file is empty"];
  if (first.number === 0 && startByte === 0 && exact && last.number === total - 1) return [];
  const from =
    startByte > 0
      ? `line ${numbers.of(first.number)} from byte ${first.from} of ${first.length}`
      : `lines ${numbers.of(first.number)} to ${numbers.of(last.number)}`;
  const range = `${from}; the file has ${exact ? total : `more than ${total}`} lines, the first is ${numbers.first}`;
  if (next === null) return [range];
  const limit = limited === "lines" ? `${limits.lines} lines` : `${limits.bytes} bytes`;
  return [`${range}; cut at ${limit} a call, to read on call read_file with ${JSON.stringify(next)}`];
}

/** Which lines are cut, and how to read on in the first of them. */
export function cutNotes(cut: readonly ReadLine[], rest: NextCall | undefined, numbers: LineNumbers): string[] {
  if (rest === undefined) return [];
  const lines = cut.map(({ number, length, kept }) => `${numbers.of(number)} (${kept} of ${length} bytes)`).join(", ");
  return [`cut: line ${lines}; to read on in it call read_file with ${JSON.stringify(rest)}`];
}

/** Properties that the text does not show: its encoding, its line ends and bytes that are not text. */
export function encodingNotes(
  lines: readonly ReadLine[],
  encoding: TextEncoding,
  stated: string | undefined,
  numbers: LineNumbers,
): string[] {
  const notes: string[] = [];
  if (encoding.name !== "unknown" && !encoding.name.startsWith("UTF-8"))
    notes.push(
      stated === undefined
        ? `the file is ${encoding.name}, which edit_file keeps`
        : `read as ${encoding.name}${lines.some(({ text }) => text.includes("\ufffd")) ? ", though some of its bytes mean nothing in it" : ""}; give edit_file the same encoding`,
    );
  const crlf = lines.filter(({ end }) => end === "\r\n").length;
  if (crlf > 0) {
    const all = crlf === lines.filter(({ end }) => end !== "").length;
    notes.push(`${all ? "lines end" : `${crlf} of these lines end`} with CRLF, which edit_file keeps`);
  }
  const invalid = lines.filter((line) => line.invalid !== undefined);
  if (invalid.length > 0) {
    const named = invalid.slice(0, NAMED_PLACES);
    const places = named
      .map((line) => `line ${numbers.of(line.number)} byte ${line.invalid?.at} (0x${line.invalid?.hex})`)
      .join(", ");
    const more = invalid.length > NAMED_PLACES ? ` and ${invalid.length - NAMED_PLACES} more lines` : "";
    const known =
      encoding.name === "unknown"
        ? "in an unknown encoding (state it with encoding)"
        : `not ${encoding.name.split(" ")[0]}`;
    notes.push(`bytes that are ${known} are shown as \ufffd: ${places}${more}; edit_file keeps them as they are`);
  }
  return notes;
}

/** The last note: the name of these contents, for edits that are to change these and no others. */
export function versionNotes(version: string | undefined): string[] {
  return version === undefined ? [] : [`version ${version}`];
}

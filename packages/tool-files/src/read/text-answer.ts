import { success, type ToolSuccess } from "@dispatch/tools-interface";
import { BinaryFileError, FilesError } from "../error/files-error.ts";
import type { LineNumbers } from "../text/line-numbers.ts";
import type { TextEncoding } from "../text/text-encoding.ts";
import type { TextRead } from "./read-contents.ts";
import { isCut, LINE_COST, type LinesRead, type ReadLine } from "./read-lines.ts";
import { MAX_BYTES, MAX_LINES, MAX_PROGRAM_BYTES, type ReadOutput, type ReadParameters } from "./read-schema.ts";

/** The answer that shows lines, each with its number, and names omitted parts and how to read on. */
export function textAnswer(
  attempt: string,
  path: string,
  params: ReadParameters,
  text: TextRead,
  version: string | undefined,
  numbers: LineNumbers,
): ToolSuccess<ReadOutput> {
  const { start_byte: startByte = 0 } = params;
  const startLine = numbers.placeOf(params.start_line ?? numbers.first);
  const { lines, content, total, exact, encoding } = text;
  checkRange(attempt, params, text, numbers);
  if (content.includes("\0")) {
    throw new BinaryFileError(
      `${attempt}: these lines are binary, they hold NUL bytes, read_file reads text; use a program made for such files`,
    );
  }
  const endLine = startLine + lines.length - 1;
  const cut = lines.filter(isCut);
  const rests = cut.map((line) => restOf(path, params, line, numbers.of(line.number)));
  const next = nextCall(path, params, text, numbers.of(endLine + 1));
  const limits = { lines: MAX_LINES, bytes: MAX_BYTES };
  const notes = [
    ...rangeNotes({ ...text, startByte, next, limits, numbers }),
    ...cutNotes(cut, rests[0], numbers),
    ...encodingNotes(lines, encoding, params.encoding, numbers),
    ...versionNotes(version),
  ];
  const numbered = lines.map((line) => `${numbers.of(line.number)}\t${line.text}`);
  for (const note of notes) numbered.push(`[${note}]`);
  return success(numbered.join("\n"), {
    data: {
      path,
      content,
      start_line: numbers.of(startLine),
      end_line: numbers.of(endLine),
      total_lines: exact ? total : null,
      next: next ?? rests[0] ?? null,
      cut: rests,
      encoding: encoding.name,
      version: version ?? null,
      image: null,
    },
  });
}

/**
 * The answer to a program: all of the text, and never a part that looks like all of it.
 *
 * @throws {FilesError} When it is longer than a program may be given (`file_too_large`).
 */
export function programAnswer(
  attempt: string,
  path: string,
  params: ReadParameters,
  text: TextRead,
  version: string | undefined,
  numbers: LineNumbers,
): ToolSuccess<ReadOutput> {
  const { data } = textAnswer(attempt, path, params, text, version, numbers);
  if (data === undefined || data.next !== null) {
    throw new FilesError(
      `${attempt}: it is longer than a program is given by one call, ${MAX_PROGRAM_BYTES} bytes with ${LINE_COST} counted for each line; read it in parts with start_line and end_line`,
      { code: "file_too_large" },
    );
  }
  return success(`[lines ${data.start_line} to ${data.end_line}, given to a program]`, { data });
}

function checkRange(
  attempt: string,
  { start_line: startLine, start_byte: startByte = 0 }: ReadParameters,
  { lines, total }: LinesRead,
  numbers: LineNumbers,
): void {
  const [firstLine] = lines;
  const invalid = (found: string) => new FilesError(`${attempt}: ${found}`, { code: "invalid_range" });
  if (firstLine === undefined && startLine !== undefined && numbers.placeOf(startLine) > 0) {
    const found =
      total === 0 ? "the file is empty" : `the file has ${total} lines, ${numbers.first} to ${numbers.of(total - 1)}`;
    throw invalid(`start_line is ${startLine}, ${found}`);
  }
  if (firstLine !== undefined && startByte > 0 && startByte >= firstLine.length)
    throw invalid(`start_byte is ${startByte}, line ${numbers.of(firstLine.number)} has ${firstLine.length} bytes`);
}

function nextCall(
  path: string,
  { end_line, encoding, pages }: ReadParameters,
  { limited }: LinesRead,
  startLine: number,
): NextCall | null {
  if (limited === undefined) return null;
  return {
    path,
    start_line: startLine,
    ...(end_line !== undefined && end_line !== -1 && { end_line }),
    ...(pages !== undefined && { pages }),
    ...(encoding !== undefined && { encoding }),
  };
}

function restOf(path: string, { encoding, pages }: ReadParameters, { from, kept }: ReadLine, line: number): NextCall {
  const of = pages === undefined ? {} : { pages };
  const rest = { path, start_line: line, end_line: line, start_byte: from + kept, ...of };
  return encoding === undefined ? rest : { ...rest, encoding };
}

/** Places of invalid bytes that are named. */
const NAMED_PLACES = 3;

/** Parameters of a call that reads on. */
interface NextCall {
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
interface RangeRead extends LinesRead {
  /** The byte of the first line that was asked for. */
  readonly startByte: number;
  /** The call that reads on after the last line, when a limit ended the reading. */
  readonly next: NextCall | null;
  /** Most lines and most bytes of one answer. */
  readonly limits: { readonly lines: number; readonly bytes: number };
  readonly numbers: LineNumbers;
}

/** Which part of the file is shown and how to read on. None when it is the whole file. */
function rangeNotes({ lines, total, exact, limited, startByte, next, limits, numbers }: RangeRead): string[] {
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
function cutNotes(cut: readonly ReadLine[], rest: NextCall | undefined, numbers: LineNumbers): string[] {
  if (rest === undefined) return [];
  const lines = cut.map(({ number, length, kept }) => `${numbers.of(number)} (${kept} of ${length} bytes)`).join(", ");
  return [`cut: line ${lines}; to read on in it call read_file with ${JSON.stringify(rest)}`];
}

/** Properties that the text does not show: its encoding, its line ends and bytes that are not text. */
function encodingNotes(
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

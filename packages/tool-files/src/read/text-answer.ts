import { success, type ToolSuccess } from "@dispatch/tools-interface";
import { BinaryFileError, FilesError } from "../error/files-error.ts";
import type { LineNumbers } from "../text/line-numbers.ts";
import type { TextEncoding } from "../text/text-encoding.ts";
import type { TextRead } from "./read-contents.ts";
import { isCut, LINE_COST, type LinesRead, type ReadLine } from "./read-lines.ts";
import { MAX_BYTES, MAX_LINES, MAX_PROGRAM_BYTES, type ReadOutput, type ReadParameters } from "./read-schema.ts";

/** A call that has read text. */
export interface ReadCall {
  readonly attempt: string;
  /** The file, links resolved. */
  readonly path: string;
  readonly params: ReadParameters;
  readonly numbers: LineNumbers;
}

/** The answer that shows lines, each with its number, and names omitted parts and how to read on. */
export function textAnswer(call: ReadCall, text: TextRead, version: string | undefined): ToolSuccess<ReadOutput> {
  const { attempt, path, params, numbers } = call;
  const startLine = numbers.placeOf(params.start_line ?? numbers.first);
  const { lines, content, total, exact, encoding } = text;
  checkRange(call, text);
  if (content.includes("\0")) {
    throw new BinaryFileError(
      `${attempt}: these lines are binary, they hold NUL bytes, read_file reads text; use a program made for such files`,
    );
  }
  const endLine = startLine + lines.length - 1;
  const cut = lines.filter(isCut);
  const rests = cut.map((line) => restOf(call, line));
  const next = text.limited === undefined ? null : nextCall(call, numbers.of(endLine + 1));
  const notes = [
    ...rangeNotes(call, text, next),
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
export function programAnswer(call: ReadCall, text: TextRead, version: string | undefined): ToolSuccess<ReadOutput> {
  const { data } = textAnswer(call, text, version);
  if (data === undefined || data.next !== null) {
    throw new FilesError(
      `${call.attempt}: it is longer than a program is given by one call, ${MAX_PROGRAM_BYTES} bytes with ${LINE_COST} counted for each line; read it in parts with start_line and end_line`,
      { code: "file_too_large" },
    );
  }
  return success(`[lines ${data.start_line} to ${data.end_line}, given to a program]`, { data });
}

function checkRange({ attempt, params, numbers }: ReadCall, { lines, total }: LinesRead): void {
  const { start_line: startLine, start_byte: startByte = 0 } = params;
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

/** Parameters of the call that reads on from a line. */
function nextCall({ path, params: { end_line, encoding, pages } }: ReadCall, startLine: number): ReadParameters {
  return {
    path,
    start_line: startLine,
    ...(end_line !== undefined && end_line !== -1 && { end_line }),
    ...(pages !== undefined && { pages }),
    ...(encoding !== undefined && { encoding }),
  };
}

/** Parameters of the call that reads on in a line. */
function restOf(call: ReadCall, { number, from, kept }: ReadLine): ReadParameters {
  const line = call.numbers.of(number);
  return { ...nextCall(call, line), end_line: line, start_byte: from + kept };
}

/** Places of invalid bytes that are named. */
const NAMED_PLACES = 3;

/** Which part of the file is shown and how to read on. None when it is the whole file. */
function rangeNotes(
  { params: { start_byte: startByte = 0 }, numbers }: ReadCall,
  { lines, total, exact, limited }: LinesRead,
  next: ReadParameters | null,
): string[] {
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
  const limit = limited === "lines" ? `${MAX_LINES} lines` : `${MAX_BYTES} bytes`;
  return [`${range}; cut at ${limit} a call, to read on call read_file with ${JSON.stringify(next)}`];
}

/** Which lines are cut, and how to read on in the first of them. */
function cutNotes(cut: readonly ReadLine[], rest: ReadParameters | undefined, numbers: LineNumbers): string[] {
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

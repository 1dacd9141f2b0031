import { success, type ToolSuccess } from "@dispatch/tools-interface";
import { BinaryFileError, FilesError } from "../error/files-error.ts";
import type { LineNumbers } from "../text/line-numbers.ts";
import type { TextRead } from "./read-contents.ts";
import { isCut, LINE_COST, type LinesRead, type ReadLine } from "./read-lines.ts";
import { cutNotes, encodingNotes, rangeNotes, versionNotes, type NextCall } from "./read-notes.ts";
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

import { success, type ToolSuccess } from "@dispatch/tools-interface";
import type { z } from "zod";
import { BinaryFileError, FilesError } from "../error/files-error.ts";
import type { TextRead } from "./read-contents.ts";
import { isCut, type LinesRead, type ReadLine } from "./read-lines.ts";
import { cutNotes, encodingNotes, rangeNotes, versionNotes, type NextCall } from "./read-notes.ts";
import { MAX_BYTES, MAX_LINES, type readOutput, type ReadParameters } from "./read-schema.ts";

/** The answer that shows lines, each with its number, and says what is not shown and how to read on. */
export function textAnswer(
  attempt: string,
  path: string,
  params: ReadParameters,
  text: TextRead,
  version: string | undefined,
): ToolSuccess<z.infer<typeof readOutput>> {
  const { start_line: startLine = 0, start_byte: startByte = 0 } = params;
  const { lines, content, total, exact, encoding } = text;
  checkRange(attempt, params, text);
  if (content.includes("\0")) {
    throw new BinaryFileError(
      `${attempt}: these lines are binary, they hold NUL bytes, read_file reads text; use a program made for such files`,
    );
  }
  const endLine = startLine + lines.length - 1;
  const cut = lines.filter(isCut);
  const rests = cut.map((line) => restOf(path, line));
  const next = nextCall(path, params, text, endLine);
  const limits = { lines: MAX_LINES, bytes: MAX_BYTES };
  const notes = [
    ...rangeNotes({ ...text, startByte, next, limits }),
    ...cutNotes(cut, rests[0]),
    ...encodingNotes(lines, encoding),
    ...versionNotes(version),
  ];
  const numbered = lines.map((line) => `${line.number}\t${line.text}`);
  for (const note of notes) numbered.push(`[${note}]`);
  return success(numbered.join("\n"), {
    data: {
      path,
      content,
      start_line: startLine,
      end_line: endLine,
      total_lines: exact ? total : null,
      next: next ?? rests[0] ?? null,
      cut: rests,
      encoding: encoding.name,
      version: version ?? null,
      image: null,
    },
  });
}

function checkRange(attempt: string, params: ReadParameters, { lines, total }: LinesRead): void {
  const { start_line: startLine = 0, start_byte: startByte = 0 } = params;
  const [firstLine] = lines;
  const invalid = (found: string) => new FilesError(`${attempt}: ${found}`, { code: "invalid_range" });
  if (firstLine === undefined && startLine > 0) {
    const found = total === 0 ? "the file is empty" : `the file has ${total} lines, 0 to ${total - 1}`;
    throw invalid(`start_line is ${startLine}, ${found}`);
  }
  if (firstLine !== undefined && startByte > 0 && startByte >= firstLine.length)
    throw invalid(`start_byte is ${startByte}, line ${startLine} has ${firstLine.length} bytes`);
}

function nextCall(
  path: string,
  { end_line }: ReadParameters,
  { limited }: LinesRead,
  endLine: number,
): NextCall | null {
  if (limited === undefined) return null;
  return { path, start_line: endLine + 1, ...(end_line !== undefined && end_line !== -1 && { end_line }) };
}

function restOf(path: string, { number, from, kept }: ReadLine): NextCall {
  return { path, start_line: number, end_line: number, start_byte: from + kept };
}

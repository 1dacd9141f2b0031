import { defineTool, failure, success } from "@dispatch/tools-interface";
import { z } from "zod";
import { binaryReason } from "./binary-reason.ts";
import { BinaryFileError, FilesError } from "./files-error.ts";
import { attemptOn } from "./path-names.ts";
import { readLines, type LinesRead, type ReadLine } from "./read-lines.ts";
import { inSandbox, worktreeContext } from "./worktree-context.ts";

const MAX_LINES = 2000;
const MAX_BYTES = 50 * 1024;
const MAX_LINE_BYTES = 2000;

const parameters = z.object({
  path: z.string().describe("File to read, relative to the worktree"),
  start_line: z.int().min(0).optional().describe("First line, 0-based. Default 0"),
  end_line: z
    .int()
    .min(-1)
    .optional()
    .describe("Last line, 0-based and inclusive; -1 is the end of the file. Default -1"),
  start_byte: z
    .int()
    .min(0)
    .optional()
    .describe("Byte of the first line to begin at, 0-based, to read on in a line that was cut. Default 0"),
});

const output = z.object({
  path: z.string().describe("The file that was read, links resolved"),
  content: z.string().describe("Text of the lines as in the file, line ends included, without numbers"),
  start_line: z.int().describe("First line, 0-based"),
  end_line: z.int().describe("Last line, 0-based and inclusive; start_line - 1 when there is none"),
  total_lines: z.int().nullable().describe("Lines of the file, null when it is too long to count them"),
  next: parameters.nullable().describe("Parameters of the call that reads on, null when nothing was cut"),
  cut: z.array(parameters).describe("For each line that was cut, parameters of the call that reads on in it"),
});

type Parameters = z.infer<typeof parameters>;

/** `read_file`: lines of a text file, each with its number. */
export const readFileTool = defineTool({
  name: "read_file",
  description:
    `Reads a text file. Each line of the answer is its number, a tab and its text; numbers are 0-based and are the ones start_line and end_line (inclusive) take. ` +
    `At most ${MAX_LINES} lines or ${MAX_BYTES / 1024} KB a call; longer lines are cut at ${MAX_LINE_BYTES} bytes. Lines in square brackets are notes, not text of the file: they name the call that reads on.`,
  parameters,
  output,
  context: worktreeContext,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  execute(params, run) {
    const { path, start_line: startLine = 0, end_line = -1, start_byte: startByte = 0 } = params;
    const attempt = attemptOn("read", path);
    const endLine = end_line === -1 ? Infinity : end_line;
    if (endLine < startLine) {
      return failure(`${attempt}: end_line ${end_line} is before start_line ${startLine}, give -1 to read to the end`, {
        code: "invalid_range",
      });
    }
    // A single line that was asked for may fill the whole answer.
    const maxLineBytes = endLine === startLine ? MAX_BYTES - 1024 : MAX_LINE_BYTES;
    const request = { startLine, endLine, startByte, maxLines: MAX_LINES, maxLineBytes, maxBytes: MAX_BYTES };
    return inSandbox(run.context.worktreePath, (sandbox) => {
      const file = sandbox.openFile(path);
      let pending = false;
      try {
        const read = readLines(file.fd, request, () => run.signal);
        if (!(read instanceof Promise)) return answer(attempt, file.path, params, read);
        pending = true;
        return read.then((lines) => answer(attempt, file.path, params, lines)).finally(() => file.close());
      } finally {
        if (!pending) file.close();
      }
    });
  },
});

function answer(attempt: string, path: string, params: Parameters, read: LinesRead) {
  const { start_line: startLine = 0, start_byte: startByte = 0 } = params;
  const { lines, total, exact } = read;
  const [firstLine] = lines;
  const binary =
    binaryReason(read.head) ??
    (lines.some(({ bytes }) => bytes.includes(0)) ? "these lines are binary, they hold NUL bytes" : undefined);
  if (binary !== undefined) throw new BinaryFileError(`${attempt}: ${binary}, read_file reads text only`);
  if (firstLine === undefined && startLine > 0) {
    const found = total === 0 ? "the file is empty" : `the file has ${total} lines, 0 to ${total - 1}`;
    throw new FilesError(`${attempt}: start_line is ${startLine}, ${found}`, { code: "invalid_range" });
  }
  if (firstLine !== undefined && startByte > 0 && startByte >= firstLine.length) {
    throw new FilesError(`${attempt}: start_byte is ${startByte}, line ${startLine} has ${firstLine.length} bytes`, {
      code: "invalid_range",
    });
  }
  const texts = lines.map(textOf);
  const endLine = startLine + lines.length - 1;
  const cut = lines.filter(isCut).map((line) => restOf(path, line));
  const next = nextCall(path, params, read, endLine);
  const notes = [...rangeNotes(params, read, endLine, next), ...cutNotes(lines, cut), ...encodingNotes(lines, texts)];
  const numbered = lines.map(({ number }, index) => `${number}\t${texts[index]}`);
  return success([...numbered, ...notes.map((note) => `[${note}]`)].join("\n"), {
    data: {
      path,
      content: lines.map(({ end }, index) => texts[index] + (isCut(lines[index]!) ? "" : end)).join(""),
      start_line: startLine,
      end_line: endLine,
      total_lines: exact ? total : null,
      next: next ?? cut[0] ?? null,
      cut,
    },
  });
}

/** The text of a line; a byte order mark is not part of it. */
function textOf({ bytes, number, from }: ReadLine): string {
  const text = bytes.toString("utf8");
  return number === 0 && from === 0 && text.startsWith("\ufeff") ? text.slice(1) : text;
}

function isCut({ from, bytes, length }: ReadLine): boolean {
  return from + bytes.length < length;
}

function nextCall(path: string, { end_line }: Parameters, { limited }: LinesRead, endLine: number): Parameters | null {
  if (!limited) return null;
  return { path, start_line: endLine + 1, ...(end_line !== undefined && end_line !== -1 && { end_line }) };
}

function restOf(path: string, { number, from, bytes }: ReadLine): Parameters {
  return { path, start_line: number, end_line: number, start_byte: from + bytes.length };
}

function rangeNotes(
  params: Parameters,
  { lines, total, exact }: LinesRead,
  endLine: number,
  next: Parameters | null,
): string[] {
  if (lines.length === 0) return ["the file is empty"];
  const { start_line: startLine = 0, start_byte: startByte = 0 } = params;
  const whole = startLine === 0 && startByte === 0 && exact && endLine === total - 1;
  if (whole) return [];
  const from =
    startByte > 0
      ? `line ${startLine} from byte ${lines[0]?.from} of ${lines[0]?.length}`
      : `lines ${startLine} to ${endLine}`;
  const range = `${from}; the file has ${exact ? total : `more than ${total}`} lines, the first is 0`;
  return [next === null ? range : `${range}; to read on call read_file with ${JSON.stringify(next)}`];
}

function cutNotes(lines: readonly ReadLine[], cut: readonly Parameters[]): string[] {
  if (cut.length === 0) return [];
  const numbers = lines
    .filter(isCut)
    .map(({ number, length }) => `${number} (${length} bytes)`)
    .join(", ");
  return [`cut: line ${numbers}; to read on in it call read_file with ${JSON.stringify(cut[0])}`];
}

function encodingNotes(lines: readonly ReadLine[], texts: readonly string[]): string[] {
  const notes: string[] = [];
  const crlf = lines.filter(({ end }) => end === "\r\n").length;
  if (crlf > 0)
    notes.push(
      `${crlf === lines.filter(({ end }) => end !== "").length ? "lines end" : `${crlf} of these lines end`} with CRLF, which edit_file keeps`,
    );
  const undecodable = texts.some(
    (text, index) => text.includes("\ufffd") && !Buffer.from(text).equals(lines[index]!.bytes),
  );
  if (undecodable) notes.push("some bytes are not UTF-8 and are shown as \ufffd; edit_file keeps them as they are");
  return notes;
}

import fs from "node:fs";
import { setImmediate as nextTick } from "node:timers/promises";
import { FilesError } from "../../error/files-error.ts";
import { isTooManyOpenFiles, toFilesError } from "../../error/system-error.ts";
import { TreeFiles } from "../../list/tree-files.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { countLineFeeds } from "../../text/line-index.ts";
import { readMatch, SEARCHED_LINE_BYTES, type SearchFindings, type SearchOmissions } from "../search-findings.ts";
import { firstLine, type SearchRequest } from "../search-request.ts";
import { decodedText, omissionOf, searchedText, type SearchedText } from "../searched-text.ts";
import { queryOptions, RipgrepProcess } from "./ripgrep-process.ts";

/** Milliseconds of reading matches after which the event loop may do other work. */
const SLICE_MS = 10;

/**
 * The prefix of a line: its number, the column of its first match, its offset. The column is missing if the match is
 * empty and at the very end. Only a sentence in brackets follows.
 */
const POSITION = /^(\d+):(\d+):(?:(\d+):)?/;

/**
 * Searches files in their order with ripgrep, which receives no names but only the bytes that the sandbox reads. It
 * prints the positions of matching lines and never the lines, so that its output is small for every file. Without files
 * it checks the query. Adds to the findings until they are full.
 *
 * @throws {FilesError} When it refuses the query.
 */
export async function ripgrepLines(
  sandbox: Sandbox,
  request: SearchRequest,
  program: string,
  paths: readonly string[],
  findings: SearchFindings,
): Promise<void> {
  const reader = new TreeFiles(sandbox);
  try {
    for (let next = 0; next < paths.length || next === 0;) {
      const texts = await openTexts(reader, paths, next, request, findings.omissions);
      try {
        await confirm(request, program, texts.files, findings);
      } finally {
        texts.close();
      }
      ({ next } = texts);
      const last = paths[next - 1];
      if (findings.isFull || last === undefined || next >= paths.length) break;
      findings.searchedTo(last);
    }
  } finally {
    reader.close();
  }
}

async function confirm(
  request: SearchRequest,
  program: string,
  files: readonly StreamedFile[],
  findings: SearchFindings,
): Promise<void> {
  const { query, mode, contextLines, attempt, signal } = request;
  const options = ["--no-heading", "--with-filename", "--line-number", "--column", "--byte-offset", "--max-columns=1"];
  const searched = files.filter(({ text }) => text.state !== "binary" || text.held !== undefined);
  const process = new RipgrepProcess({
    program,
    cwd: "/",
    options: [...options, ...queryOptions(query), "--", "-"],
    input: lineStream(searched, query.multiline),
    signal,
  });
  const matched = new Set<StreamedFile>();
  try {
    let index = 0;
    let since = performance.now();
    for await (const { line, column, offset } of proposals(process.output())) {
      for (let next = index; (searched[next]?.start?.offset ?? 0) <= offset && next < searched.length; next += 1)
        if (searched[next]?.start !== undefined) index = next;
      const file = searched[index];
      if (file?.start === undefined) continue;
      matched.add(file);
      const number = line - file.start.line;
      if (file.text.state === "binary" || number < firstLine(file.path, request)) continue;
      const place = { line: number, offset: fileOffset(file, offset), column: query.multiline ? 0 : column };
      findings.add(file.path, mode === "lines" ? readMatch(file.text, place, contextLines) : undefined);
      if (findings.isFull) break;
      if (performance.now() - since < SLICE_MS) continue;
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      since = performance.now();
    }
    if (!findings.isFull) {
      const { code, errors } = await process.end();
      if (code === 2) throwQueryError(errors, attempt);
    }
    const reached = findings.isFull ? searched[index] : files.at(-1);
    for (const file of files.slice(0, reached === undefined ? 0 : files.indexOf(reached) + 1)) {
      const reason = omissionOf(file.text, matched.has(file), request.forms, query.ignoreCase);
      if (reason !== undefined) findings.omissions.add(reason, file.path);
      if (file.cuts.length > 0) findings.omissions.add("long_line", file.path);
    }
  } finally {
    process.kill();
  }
}

type Proposal = { readonly line: number; readonly column: number; readonly offset: number };

async function* proposals(output: AsyncIterable<Buffer>): AsyncGenerator<Proposal> {
  let rest = Buffer.alloc(0);
  for await (const chunk of output) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (;;) {
      const nul = bytes.indexOf(0, from);
      const end = nul === -1 ? -1 : bytes.indexOf(10, nul);
      if (end === -1) break;
      const found = POSITION.exec(bytes.toString("latin1", nul + 1, Math.min(end, nul + 80)));
      from = end + 1;
      if (found === null) continue;
      const [, line, second, third] = found;
      yield {
        line: Number(line) - 1,
        column: third === undefined ? 0 : Number(second) - 1,
        offset: Number(third ?? second),
      };
    }
    rest = Buffer.from(bytes.subarray(from));
  }
}

/** Throws `invalid_regex` if ripgrep's error output says that it refuses the query. */
function throwQueryError(errors: string, attempt: string): void {
  const said = errors
    .split("\n")
    .filter((line) => !line.startsWith("rg: -:") && !line.startsWith("rg: <stdin>"))
    .join("\n")
    .replace(/^rg: /, "")
    .trim();
  if (said === "") return;
  const hint = /look-around|backreference/.test(said) ? "; look-around and back-references are not supported" : "";
  const lines = /the literal .*\\n.* is not allowed/s.test(said) ? "; set multiline to search over several lines" : "";
  const short = said.replace(/\n\nConsider enabling[\s\S]*$/, "").slice(0, 600);
  throw new FilesError(`${attempt}: the regular expression is invalid${hint}${lines}\n${short}`, {
    code: "invalid_regex",
  });
}

/** Files, and bytes if there is more than one, searched by one process. */
const BATCH_FILES = 64;
const BATCH_BYTES = 8 * 1024 * 1024;

/** Files of a list, from some place on, that are searched by one process. */
interface OpenTexts {
  readonly files: readonly StreamedFile[];
  /** The place in the list where the next ones begin. */
  readonly next: number;
  close(): void;
}

/** Opens the next files of a list. Files that cannot be searched are left out and recorded in `omissions`. */
async function openTexts(
  reader: TreeFiles,
  paths: readonly string[],
  from: number,
  { query, encoding, attempt }: SearchRequest,
  omissions: SearchOmissions,
): Promise<OpenTexts> {
  const files: StreamedFile[] = [];
  const open: number[] = [];
  const close = () => open.splice(0).forEach((fd) => fs.closeSync(fd));
  let [next, bytes, since] = [from, 0, performance.now()];
  try {
    for (
      ;
      next < paths.length && files.length < (query.multiline ? 1 : BATCH_FILES) && bytes < BATCH_BYTES;
      next += 1
    ) {
      const path = paths[next]!;
      const text = openText(reader, path, encoding, open);
      if (text === undefined) {
        omissions.add("unreadable", path);
        continue;
      }
      bytes += text.size;
      if (query.multiline && text.file.state !== "stated" && text.file.held === undefined) {
        omissions.add("too_large", path);
        continue;
      }
      const { file } = text;
      const decoded = file.state === "stated" ? await decodedText(file.bytes, encoding!) : file;
      files.push({ path, text: decoded, start: undefined, cuts: [] });
      if (performance.now() - since > SLICE_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        since = performance.now();
      }
    }
    return { files, next, close };
  } catch (error) {
    close();
    throw isTooManyOpenFiles(error) ? toFilesError(error, attempt) : error;
  }
}

function openText(reader: TreeFiles, path: string, stated: string | undefined, open: number[]) {
  let fd: number | undefined;
  let keep = false;
  try {
    const opened = reader.open(path);
    ({ fd } = opened);
    const file = searchedText(fd, opened.size, stated);
    keep = file.state !== "stated" && file.held === undefined;
    if (keep) open.push(fd);
    return { file, size: opened.size };
  } catch (error) {
    if (isTooManyOpenFiles(error)) throw error;
    return undefined;
  } finally {
    if (fd !== undefined && !keep) fs.closeSync(fd);
  }
}

const CHUNK_BYTES = 64 * 1024;

/** An open file that is searched as a part of a stream. */
interface StreamedFile {
  readonly path: string;
  readonly text: SearchedText;
  /** Where it begins in the stream, once it was reached: byte, and number of its first line. */
  start: { readonly offset: number; readonly line: number } | undefined;
  /** Offsets in the stream at which bytes of a long line were left out, with the sum of bytes left out up to there. */
  readonly cuts: { readonly offset: number; readonly skipped: number }[];
}

/**
 * Streams open files one after the other. Unless `whole`, ends each file with a line end and, in a file that is not held,
 * truncates each line to the searched part, to bound the memory of the stream's reader.
 */
async function* lineStream(files: readonly StreamedFile[], whole: boolean): AsyncGenerator<Buffer> {
  let [offset, line] = [0, 0];
  for (const file of files) {
    let [position, lineLength, skipped] = [0, 0, 0];
    const uncut = whole || file.text.held !== undefined;
    file.start = { offset, line };
    for (;;) {
      const read = readChunk(file.text, position);
      if (read.length === 0) break;
      // Only the line that has begun before can be too long here.
      const first = read.indexOf(10);
      const end = first === -1 ? read.length : first;
      const kept = uncut ? end : Math.min(end, Math.max(0, SEARCHED_LINE_BYTES - lineLength));
      if (kept < end) {
        skipped += end - kept;
        file.cuts.push({ offset: offset + kept, skipped });
      }
      const last = read.lastIndexOf(10);
      lineLength = last === -1 ? lineLength + read.length : read.length - last - 1;
      line += countLineFeeds(read);
      position += read.length;
      offset += read.length - end + kept;
      if (kept === end) yield read;
      else if (kept > 0 || end < read.length) yield Buffer.concat([read.subarray(0, kept), read.subarray(end)]);
      else await nextTick();
    }
    if (lineLength > 0 && !whole) {
      yield Buffer.from("\n");
      [offset, line] = [offset + 1, line + 1];
    }
  }
}

/** The byte of a file at an offset of the stream. */
function fileOffset({ start, cuts }: StreamedFile, offset: number): number {
  const skipped = cuts.findLast((cut) => cut.offset <= offset)?.skipped ?? 0;
  return offset - (start?.offset ?? 0) + skipped;
}

/** The next bytes of a file; none at its end, or where it cannot be read. */
function readChunk(text: SearchedText, position: number): Buffer {
  try {
    return text.read(position, CHUNK_BYTES);
  } catch {
    return Buffer.alloc(0);
  }
}

import fs from "node:fs";
import { TreeFiles } from "../list/tree-files.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { fileOffset, lineStream, type StreamedFile } from "./line-stream.ts";
import { throwQueryError } from "./ripgrep-error.ts";
import { queryOptions, RipgrepProcess } from "./ripgrep-process.ts";
import { MULTILINE_FILE_BYTES, readMatch, type FileMatches, type SearchMatch } from "./search-match.ts";
import { firstLine, type SearchRequest } from "./search-request.ts";

/** Files, and bytes if there is more than one, given to a process. */
const BATCH_FILES = 64;
const BATCH_BYTES = 8 * 1024 * 1024;

/**
 * What stands before a line: its number, the column of its first match, its offset. The column is missing when the match
 * is empty and at the very end. What follows is no more than a sentence in brackets.
 */
const POSITION = /^(\d+):(\d+):(?:(\d+):)?/;

/** What was found among the files that may match. */
export interface ConfirmedFiles {
  /** In the order they were given. */
  readonly files: readonly FileMatches[];
  /** How many could not be read. */
  readonly unreadable: number;
}

/**
 * Searches files in their order with ripgrep, which is given no name but only the bytes that the sandbox reads. It prints
 * where lines match and never the lines, so that its output is small whatever they hold. With no file at all it checks
 * the query.
 *
 * @throws {FilesError} When it refuses the query.
 */
export async function ripgrepLines(
  sandbox: Sandbox,
  request: SearchRequest,
  program: string,
  paths: readonly string[],
): Promise<ConfirmedFiles> {
  const found: FileMatches[] = [];
  const { multiline } = request.query;
  const reader = new TreeFiles({ directory: sandbox.workingDirectory, strength: sandbox.strength });
  let [units, unreadable] = [0, 0];
  try {
    for (let next = 0; next < paths.length || next === 0;) {
      const open: StreamedFile[] = [];
      try {
        for (let bytes = 0; next < paths.length && open.length < (multiline ? 1 : BATCH_FILES); next += 1) {
          const file = tryOpen(reader, paths[next]!);
          if (file === undefined) unreadable += 1;
          if (file === undefined || (multiline && file.size > MULTILINE_FILE_BYTES)) continue;
          open.push({ path: paths[next]!, fd: file.fd, start: undefined, cuts: [] });
          bytes += file.size;
          if (bytes > BATCH_BYTES) {
            next += 1;
            break;
          }
        }
        const confirmed = await confirm(request, program, open, request.limit - units);
        found.push(...confirmed);
        for (const { count } of confirmed) units += request.mode === "lines" ? count : 1;
      } finally {
        for (const { fd } of open) fs.closeSync(fd);
      }
      if (units >= request.limit || next >= paths.length) break;
    }
    return { files: found, unreadable };
  } finally {
    reader.close();
  }
}

function tryOpen(reader: TreeFiles, path: string): ReturnType<TreeFiles["open"]> | undefined {
  try {
    return reader.open(path);
  } catch {
    return undefined;
  }
}

type Found = { readonly path: string; count: number; readonly lines: SearchMatch[] };

async function confirm(
  request: SearchRequest,
  program: string,
  files: readonly StreamedFile[],
  limit: number,
): Promise<Found[]> {
  const { query, mode, contextLines, attempt, signal } = request;
  const options = ["--no-heading", "--with-filename", "--line-number", "--column", "--byte-offset", "--max-columns=1"];
  const process = new RipgrepProcess({
    program,
    cwd: "/",
    options: [...options, ...queryOptions(query), "--", "-"],
    input: lineStream(files, query.multiline),
    signal,
  });
  try {
    const found: Found[] = [];
    let [index, units] = [0, 0];
    for await (const { line, column, offset } of proposals(process.output())) {
      for (let next = index; (files[next]?.start?.offset ?? 0) <= offset && next < files.length; next += 1)
        if (files[next]?.start !== undefined) index = next;
      const file = files[index];
      if (file?.start === undefined) continue;
      const number = line - file.start.line;
      if (number < firstLine(file.path, request)) continue;
      let last = found.at(-1);
      if (last?.path !== file.path) {
        last = { path: file.path, count: 0, lines: [] };
        found.push(last);
        if (mode !== "lines") units += 1;
      }
      if (mode === "lines") {
        units += 1;
        last.lines.push(
          readMatch(file.fd, number, fileOffset(file, offset), query.multiline ? 0 : column, contextLines),
        );
      }
      last.count = mode === "files" ? 1 : last.count + 1;
      if (units >= limit) return found;
    }
    const { code, errors } = await process.end();
    if (code === 2) throwQueryError(errors, attempt);
    return found;
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

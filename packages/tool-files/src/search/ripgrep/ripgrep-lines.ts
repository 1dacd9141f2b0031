import { TreeFiles } from "../../list/tree-files.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { omissionOf } from "../file-omission.ts";
import type { SearchFindings } from "../search-findings.ts";
import { readMatch } from "../search-match.ts";
import { firstLine, type SearchRequest } from "../search-request.ts";
import { fileOffset, lineStream, type StreamedFile } from "./line-stream.ts";
import { openTexts } from "./open-texts.ts";
import { throwQueryError } from "./ripgrep-error.ts";
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

import fs from "node:fs";
import { binaryReason, SNIFFED_BYTES } from "./binary-reason.ts";
import { FilesError } from "./files-error.ts";
import { RipgrepProcess, type Proposal, type RipgrepRun } from "./ripgrep.ts";
import type { Sandbox } from "./sandbox.ts";
import {
  SEARCHED_LINE_BYTES,
  toSearchMatch,
  type SearchMatch,
  type SearchOutcome,
  type SearchRequest,
} from "./search-match.ts";

/** Files given to one process: enough that starting it costs little, few enough that two keep two processors busy. */
const BATCH_FILES = 1000;
/** Bytes of names given to one process. Windows takes 32,767 characters for the whole command. */
const BATCH_BYTES = process.platform === "win32" ? 20_000 : 400_000;
/** Processes at a time. */
const PROCESSES = 2;
/** Bytes read at a time. */
const CHUNK_BYTES = 64 * 1024;

/** A line read through the sandbox, of which ripgrep says that it matches. */
interface Candidate {
  readonly path: string;
  readonly line: number;
  readonly bytes: Buffer;
}

/**
 * Searches with ripgrep, which proposes lines; each is read again through the sandbox and matched once more on exactly
 * these bytes. So whatever ripgrep was led to read, nothing from outside the worktree is reported.
 */
export async function ripgrepSearch(sandbox: Sandbox, request: SearchRequest, program: string): Promise<SearchOutcome> {
  const { query, isRegex, limit, signal } = request;
  const run: RipgrepRun = { program, cwd: sandbox.workingDirectory, query, isRegex, maxCount: limit };
  const matches: SearchMatch[] = [];
  let candidates: Candidate[] = [];
  let unreadable = 0;
  const confirmAll = async () => {
    matches.push(...(await confirm(run, candidates, request)));
    candidates = [];
  };
  const waiting = batches(request.files);
  const running: RipgrepProcess[] = [];
  const stop = () => running.forEach((process) => process.kill());
  signal.addEventListener("abort", stop);
  try {
    for (;;) {
      signal.throwIfAborted();
      while (running.length < PROCESSES && waiting.length > 0) running.push(new RipgrepProcess(run, waiting.shift()!));
      const [process] = running;
      if (process === undefined) break;
      for await (const [path, proposals] of byFile(process.proposals())) {
        candidates.push(...(await readCandidates(sandbox, path, proposals, limit, signal)));
        if (matches.length + candidates.length >= limit) await confirmAll();
        if (matches.length >= limit) return { matches: matches.slice(0, limit), unreadable };
      }
      signal.throwIfAborted();
      const ended = await process.end();
      running.shift();
      if (ended.refusal !== undefined) throw refused(request.attempt, ended.refusal);
      unreadable += ended.unreadable;
    }
    await confirmAll();
    return { matches: matches.slice(0, limit), unreadable };
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

function refused(attempt: string, said: string): FilesError {
  const hint = /look-around|backreference/.test(said) ? "; look-around and back-references are not supported" : "";
  const short = said.replace(/\n\nConsider enabling[\s\S]*$/, "").slice(0, 600);
  return new FilesError(`${attempt}: the regular expression is invalid${hint}\n${short}`, { code: "invalid_regex" });
}

function batches(files: readonly string[]): string[][] {
  const count = Math.ceil(files.length / PROCESSES);
  const size = Math.max(50, Math.min(BATCH_FILES, count));
  const made: string[][] = [];
  let batch: string[] = [];
  let bytes = 0;
  for (const file of files) {
    const length = Buffer.byteLength(file) + 3;
    if (batch.length === size || (bytes + length > BATCH_BYTES && batch.length > 0)) {
      made.push(batch);
      [batch, bytes] = [[], 0];
    }
    batch.push(file);
    bytes += length;
  }
  // Also without any file: the query may be wrong.
  return batch.length > 0 || made.length === 0 ? [...made, batch] : made;
}

async function* byFile(proposals: AsyncIterable<Proposal>): AsyncGenerator<readonly [string, readonly Proposal[]]> {
  let group: Proposal[] = [];
  for await (const proposal of proposals) {
    if (group.length > 0 && group[0]?.name !== proposal.name) {
      yield [group[0]!.name, group];
      group = [];
    }
    group.push(proposal);
  }
  if (group.length > 0) yield [group[0]!.name, group];
}

/** The proposed lines as the sandbox reads them. A line that is no longer there, or not there for us, is left out. */
async function readCandidates(
  sandbox: Sandbox,
  path: string,
  proposals: readonly Proposal[],
  limit: number,
  signal: AbortSignal,
): Promise<Candidate[]> {
  let file;
  try {
    file = sandbox.openFile(path);
  } catch {
    return [];
  }
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const read = (position: number, length: number) =>
      chunk.subarray(0, fs.readSync(file.fd, chunk, 0, Math.min(length, chunk.length), position));
    if (file.path !== path || binaryReason(read(0, SNIFFED_BYTES)) !== undefined) return [];
    const found: Candidate[] = [];
    let line = 0;
    let position = 0;
    let slice = 0;
    for (const proposal of proposals.slice(0, limit)) {
      let last = 10;
      while (position < proposal.offset) {
        const bytes = read(position, proposal.offset - position);
        if (bytes.length === 0) return found;
        for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) line += 1;
        position += bytes.length;
        last = bytes.at(-1)!;
        slice += bytes.length;
        if (slice > 64 * CHUNK_BYTES) {
          slice = 0;
          await new Promise((resolve) => setImmediate(resolve));
          signal.throwIfAborted();
        }
      }
      if (last !== 10 || line !== proposal.line || proposal.column >= SEARCHED_LINE_BYTES) continue;
      found.push({ path, line, bytes: readLine(read, position) });
    }
    return found;
  } finally {
    file.close();
  }
}

function readLine(read: (position: number, length: number) => Buffer, start: number): Buffer {
  const parts: Buffer[] = [];
  for (let length = 0; length < SEARCHED_LINE_BYTES;) {
    const bytes = read(start + length, SEARCHED_LINE_BYTES - length);
    const end = bytes.indexOf(10);
    parts.push(Buffer.from(end === -1 ? bytes : bytes.subarray(0, end)));
    if (end !== -1 || bytes.length === 0) break;
    length += bytes.length;
  }
  return Buffer.concat(parts);
}

/** Those of the candidates that match, by what the sandbox read. */
async function confirm(
  run: RipgrepRun,
  candidates: readonly Candidate[],
  { query, isRegex, signal }: SearchRequest,
): Promise<SearchMatch[]> {
  if (candidates.length === 0) return [];
  if (!isRegex) {
    const wanted = Buffer.from(query);
    return candidates.flatMap(({ path, line, bytes }) => {
      const column = bytes.indexOf(wanted);
      return column === -1 ? [] : [toSearchMatch(path, line, bytes, column)];
    });
  }
  const input = Buffer.concat(candidates.flatMap(({ bytes }) => [bytes, Buffer.from("\n")]));
  const process = new RipgrepProcess({ ...run, maxCount: candidates.length }, [], input);
  const stop = () => process.kill();
  signal.addEventListener("abort", stop);
  try {
    const matches: SearchMatch[] = [];
    for await (const { line, column } of process.proposals()) {
      const candidate = candidates[line];
      if (candidate !== undefined) matches.push(toSearchMatch(candidate.path, candidate.line, candidate.bytes, column));
    }
    signal.throwIfAborted();
    await process.end();
    return matches;
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

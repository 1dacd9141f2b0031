import { TreeFiles } from "../list/tree-files.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { ripgrepLines } from "./ripgrep-lines.ts";
import { ripgrepNames } from "./ripgrep-names.ts";
import { RipgrepOverflowError } from "./ripgrep-process.ts";
import { ripgrepWalk } from "./ripgrep-walk.ts";
import { filesAfter, type SearchRequest } from "./search-request.ts";
import {
  namedFile,
  listSearchedFiles,
  sizeOf,
  withoutLarge,
  type SearchedFiles,
  type SearchOutcome,
} from "./searched-files.ts";

/** Files given to one process: enough that starting it costs little, few enough that two keep two processors busy. */
const BATCH_FILES = 1000;
/** Bytes of names given to one process. Windows takes 32,767 characters for the whole command. */
const BATCH_BYTES = process.platform === "win32" ? 20_000 : 400_000;
/** Processes at a time. */
const PROCESSES = 2;
/** Largest file it may look into when it has taken too much memory before. */
const SMALL_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Searches with ripgrep, which proposes files; each is read again through the sandbox and searched once more in exactly
 * these bytes. So whatever ripgrep was led to read, nothing from outside the worktree is reported.
 */
export async function ripgrepSearch(sandbox: Sandbox, request: SearchRequest, program: string): Promise<SearchOutcome> {
  const candidates = await proposed(sandbox, request, program);
  const { files, unreadable } = await ripgrepLines(sandbox, request, program, filesAfter(candidates.files, request));
  return { ...candidates, files, unreadable: candidates.unreadable + unreadable };
}

async function proposed(sandbox: Sandbox, request: SearchRequest, program: string): Promise<SearchedFiles> {
  try {
    const walked =
      sandbox.kindOf(request.scope.path) === "file" ? undefined : await ripgrepWalk(sandbox, request, program);
    return walked ?? (await ofListing(sandbox, request, program, Infinity));
  } catch (error) {
    if (!(error instanceof RipgrepOverflowError)) throw error;
    return ofListing(sandbox, request, program, SMALL_FILE_BYTES);
  }
}

/** The files of a listing that ripgrep proposes, and those that are too large to give it. */
async function ofListing(
  sandbox: Sandbox,
  request: SearchRequest,
  program: string,
  maxBytes: number,
): Promise<SearchedFiles> {
  const reader = new TreeFiles({ directory: sandbox.workingDirectory, strength: sandbox.strength });
  try {
    const only = namedFile(sandbox, request);
    const listed = withoutLarge(only ?? (await listSearchedFiles(sandbox, request)), request, reader);
    if (only !== undefined) return listed;
    const wanted = filesAfter(listed.files, request);
    const large = maxBytes === Infinity ? [] : wanted.filter((path) => sizeOf(reader, path) > maxBytes);
    const left = new Set(large);
    const small = large.length === 0 ? wanted : wanted.filter((path) => !left.has(path));
    const waiting = batches(small);
    const named = new Set(large);
    let { unreadable } = listed;
    const work = async () => {
      for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
        const run = { program, cwd: sandbox.workingDirectory, options: ["--threads=1"], signal: request.signal };
        const found = await ripgrepNames(run, request.query, batch);
        unreadable += found.unreadable;
        for (const name of found.names) named.add(name);
      }
    };
    await Promise.all(Array.from({ length: PROCESSES }, work));
    return { ...listed, files: wanted.filter((path) => named.has(path)), unreadable };
  } finally {
    reader.close();
  }
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
  return batch.length > 0 ? [...made, batch] : made;
}

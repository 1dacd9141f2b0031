import { TreeFiles } from "../../list/tree-files.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { proposingPatterns } from "../query-forms.ts";
import { SearchFindings } from "../search-findings.ts";
import type { SearchRequest } from "../search-request.ts";
import { ripgrepLines } from "./ripgrep-lines.ts";
import { ripgrepNames } from "./ripgrep-names.ts";

/** Bytes of names given to one process. Windows takes 32,767 characters for the whole command. */
const BATCH_BYTES = process.platform === "win32" ? 20_000 : 200_000;
/** Files, and bytes of them, that are not worth a process that proposes some. */
const FEW_FILES = 64;
const FEW_BYTES = 4 * 1024 * 1024;
/** Processes at a time. */
const PROCESSES = 2;
/** Fewest files for which a second process is worth its start. */
const MIN_BATCH_FILES = 200;
/**
 * Searches with ripgrep, which proposes files; each is read again through the sandbox and searched once more in exactly
 * these bytes. So even if ripgrep is led outside the worktree, nothing from there is reported.
 */
export class RipgrepEngine {
  readonly #sandbox: Sandbox;
  readonly #request: SearchRequest;
  readonly #program: string;
  readonly #patterns: readonly string[];
  #checked = false;

  constructor(sandbox: Sandbox, request: SearchRequest, program: string) {
    this.#sandbox = sandbox;
    this.#request = request;
    this.#program = program;
    this.#patterns = proposingPatterns(request.query, request.forms);
  }

  async search(paths: readonly string[], findings: SearchFindings): Promise<void> {
    if (this.#areFew(paths)) return this.confirm(paths, findings);
    const proposed = await allOf([this.#propose(paths), this.#check().then(() => [])]);
    if (proposed.length > 0) await this.confirm(proposed, findings);
  }

  /** Whether it is quicker to search the files than to have ripgrep propose some of them before. */
  #areFew(paths: readonly string[]): boolean {
    if (paths.length > FEW_FILES) return false;
    const reader = new TreeFiles(this.#sandbox);
    try {
      let bytes = 0;
      return paths.every((path) => (bytes += sizeOf(reader, path)) <= FEW_BYTES);
    } finally {
      reader.close();
    }
  }

  /** Searches files that were proposed. */
  confirm(paths: readonly string[], findings: SearchFindings): Promise<void> {
    return ripgrepLines(this.#sandbox, this.#request, this.#program, paths, findings);
  }

  async close(): Promise<void> {}

  /** Refuses a query that is only valid together with the patterns it is searched with. */
  async #check(): Promise<void> {
    if (this.#checked || !this.#request.query.isRegex) return;
    this.#checked = true;
    await this.confirm([], new SearchFindings(this.#request));
  }

  /** Those of the files that may match. */
  async #propose(paths: readonly string[]): Promise<readonly string[]> {
    const waiting = batches(paths);
    const named = new Set<string>();
    const { query, signal } = this.#request;
    const work = async () => {
      for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
        const run = { program: this.#program, cwd: this.#sandbox.workingDirectory, options: ["--threads=1"], signal };
        const found = await ripgrepNames(run, this.#patterns, query, batch);
        // Files that it could not read are examined again, and then counted.
        for (const name of found === undefined ? batch : [...found.names, ...found.unreadable]) named.add(name);
      }
    };
    await allOf(Array.from({ length: Math.min(PROCESSES, waiting.length) }, () => work().then(() => [])));
    return paths.filter((path) => named.has(path));
  }
}

/** The results of all, once each has ended: an error of one must not leave another one running. */
async function allOf<T>(pending: readonly Promise<readonly T[]>[]): Promise<readonly T[]> {
  const results = await Promise.allSettled(pending);
  return results.flatMap((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

function sizeOf(reader: TreeFiles, path: string): number {
  try {
    return reader.stat(path).size;
  } catch {
    return 0;
  }
}

function batches(files: readonly string[]): string[][] {
  const size = Math.max(MIN_BATCH_FILES, Math.ceil(files.length / PROCESSES));
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

import { availableParallelism } from "node:os";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { ThreadPool } from "../thread/thread-pool.ts";
import type { FileSearchSettings, SearchedPaths } from "./file-search.ts";
import type { LineQuery } from "./line-search.ts";
import { javaScriptRegex } from "./query-forms.ts";
import type { SearchFindings } from "./search-findings.ts";
import { MAX_SEARCHES, type SearchQuery, type SearchRequest } from "./search-request.ts";

/** Files given to a thread at a time. */
const BATCH_FILES = 256;
/** Threads of a search at most. */
const MAX_THREADS = 4;

/** Kept from one search to the next: starting a thread takes as long as searching thousands of files. */
const threads = new ThreadPool(MAX_SEARCHES * MAX_THREADS);

/** Searches without any program, in threads that are ended when the search is. */
export class BuiltinEngine {
  readonly #signal: AbortSignal;
  readonly #settings: FileSearchSettings;
  readonly #closed = new AbortController();

  constructor(sandbox: Sandbox, request: SearchRequest) {
    const { query, mode, limit, after, contextLines, encoding, forms, attempt } = request;
    this.#signal = AbortSignal.any([request.signal, this.#closed.signal]);
    const { workingDirectory, strength } = sandbox;
    const wanted = { mode, limit, after, contextLines, encoding, forms, ignoreCase: query.ignoreCase };
    this.#settings = { query: lineQuery(query, attempt), root: { workingDirectory, strength }, wanted };
    // A thread gets ready while files are listed.
    void threads.run("searchFiles", { settings: this.#settings, paths: [] }, this.#signal).catch(() => {});
  }

  async search(paths: readonly string[], findings: SearchFindings): Promise<void> {
    const answers: SearchedPaths[] = [];
    let [next, complete] = [0, 0];
    const work = async () => {
      while (next < paths.length && !findings.isFull) {
        const index = next / BATCH_FILES;
        next += BATCH_FILES;
        const batch = paths.slice(index * BATCH_FILES, (index + 1) * BATCH_FILES);
        answers[index] = await threads.run("searchFiles", { settings: this.#settings, paths: batch }, this.#signal);
        for (let answer = answers[complete]; answer !== undefined; answer = answers[complete]) {
          complete += 1;
          if (findings.isFull) continue;
          for (const file of answer.files) if (!findings.isFull) findings.addFile(file);
          findings.omissions.addAll(answer.omissions);
          const last = paths[complete * BATCH_FILES - 1];
          if (last !== undefined && !findings.isFull) findings.searchedTo(last);
        }
      }
    };
    const workers = Math.min(MAX_THREADS, availableParallelism(), Math.ceil(paths.length / BATCH_FILES));
    await Promise.all(Array.from({ length: workers }, work));
  }

  async close(): Promise<void> {
    this.#closed.abort();
  }
}

function lineQuery(query: SearchQuery, attempt: string): LineQuery {
  const { text, isRegex, ignoreCase, multiline } = query;
  if (!isRegex && !ignoreCase && !multiline) return { source: text, flags: undefined, multiline };
  const { source, flags } = javaScriptRegex(query, attempt);
  return { source, flags, multiline };
}

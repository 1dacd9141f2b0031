import { availableParallelism } from "node:os";
import type { TreeRoot } from "../list/tree-files.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { FileSearchSettings, SearchedPaths } from "./file-search.ts";
import type { LineQuery } from "./line-search.ts";
import { escapedLiteral, toJavaScriptRegex } from "./regex/regex-dialect.ts";
import type { SearchEngine } from "./search-engine.ts";
import type { SearchFindings } from "./search-findings.ts";
import type { SearchQuery, SearchRequest } from "./search-request.ts";
import { SearchThread } from "./search-thread.ts";

/** Files given to a thread at a time. */
const BATCH_FILES = 256;
/** Threads at most. */
const MAX_THREADS = 4;

/** Searches without any program, in threads that are ended when the search is. */
export class BuiltinEngine implements SearchEngine {
  readonly #request: SearchRequest;
  readonly #settings: FileSearchSettings;
  readonly #threads: SearchThread[] = [];

  constructor(sandbox: Sandbox, request: SearchRequest) {
    const { query, mode, limit, after, contextLines, encoding, forms, attempt } = request;
    this.#request = request;
    const root: TreeRoot = { directory: sandbox.workingDirectory, strength: sandbox.strength };
    const wanted = { mode, limit, after, contextLines, encoding, forms, ignoreCase: query.ignoreCase };
    this.#settings = { query: lineQuery(query, attempt), root, wanted };
    // It gets ready while files are listed.
    this.#threads.push(new SearchThread(this.#settings));
  }

  async search(paths: readonly string[], findings: SearchFindings): Promise<void> {
    const wanted = Math.min(MAX_THREADS, availableParallelism(), Math.ceil(paths.length / BATCH_FILES));
    while (this.#threads.length < wanted) this.#threads.push(new SearchThread(this.#settings));
    const answers: SearchedPaths[] = [];
    let [next, complete] = [0, 0];
    const work = async (thread: SearchThread) => {
      while (next < paths.length && !findings.room.isFull) {
        const index = next / BATCH_FILES;
        next += BATCH_FILES;
        const batch = paths.slice(index * BATCH_FILES, (index + 1) * BATCH_FILES);
        answers[index] = await thread.search(batch, this.#request.signal);
        for (let answer = answers[complete]; answer !== undefined; answer = answers[complete]) {
          complete += 1;
          if (findings.room.isFull) continue;
          for (const file of answer.files) if (!findings.room.isFull) findings.addFile(file);
          findings.omissions.addAll(answer.omissions);
          const last = paths[complete * BATCH_FILES - 1];
          if (last !== undefined && !findings.room.isFull) findings.searchedTo(last);
        }
      }
    };
    await Promise.all(this.#threads.map(work));
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }
}

function lineQuery({ text, isRegex, ignoreCase, multiline }: SearchQuery, attempt: string): LineQuery {
  if (!isRegex && !ignoreCase && !multiline) return { source: text, flags: undefined, multiline };
  const options = { ignoreCase, multiline };
  const { source, flags } = toJavaScriptRegex(isRegex ? text : escapedLiteral(text), attempt, options);
  return { source, flags, multiline };
}

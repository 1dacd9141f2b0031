import { Worker } from "node:worker_threads";
import { toJavaScriptRegex } from "./regex-dialect.ts";
import type { Sandbox, SandboxFile } from "./sandbox.ts";
import {
  SEARCHED_LINE_BYTES,
  toSearchMatch,
  type SearchMatch,
  type SearchOutcome,
  type SearchRequest,
} from "./search-match.ts";
import type { FoundLine, SearchWorkerData } from "./search-worker.ts";

/** Files open at a time. */
const BATCH_FILES = 64;

/**
 * Searches without any program, in a worker thread that is ended when the search is. The sandbox opens the files; the
 * worker gets their descriptors, which mean the same in every thread, and no names.
 */
export async function builtinSearch(sandbox: Sandbox, request: SearchRequest): Promise<SearchOutcome> {
  const { query, isRegex, files, limit, attempt, signal } = request;
  const regex = isRegex ? toJavaScriptRegex(query, attempt) : undefined;
  const data: SearchWorkerData = {
    source: regex?.source ?? query,
    flags: regex?.flags,
    limit,
    lineBytes: SEARCHED_LINE_BYTES,
  };
  const matches: SearchMatch[] = [];
  let unreadable = 0;
  signal.throwIfAborted();
  const worker = new SearchThread(data);
  const open: SandboxFile[] = [];
  try {
    for (let from = 0; from < files.length && matches.length < limit; from += BATCH_FILES) {
      for (const path of files.slice(from, from + BATCH_FILES)) {
        const file = tryOpen(sandbox, path);
        if (file === undefined) unreadable += 1;
        else open.push(file);
      }
      const found = await worker.search(
        open.map(({ fd }) => fd),
        signal,
      );
      for (const [index, file] of open.entries()) {
        const lines = found[index];
        if (lines === undefined) unreadable += 1;
        for (const { line, column, bytes } of lines ?? [])
          matches.push(toSearchMatch(file.path, line, Buffer.from(bytes), column));
      }
      open.splice(0).forEach((file) => file.close());
    }
    return { matches: matches.slice(0, limit), unreadable };
  } finally {
    // First the thread, then the files: a number that is free again may soon be another file's.
    await worker.end();
    for (const file of open) file.close();
  }
}

function tryOpen(sandbox: Sandbox, path: string): SandboxFile | undefined {
  try {
    const file = sandbox.openFile(path);
    if (file.path === path) return file;
    file.close();
  } catch {
    // Gone, or no longer a file.
  }
  return undefined;
}

class SearchThread {
  readonly #worker: Worker;

  constructor(workerData: SearchWorkerData) {
    const file = import.meta.url.endsWith(".ts") ? "./search-worker.ts" : "./search-worker.js";
    const url = new URL(file, import.meta.url);
    this.#worker = new Worker(url, {
      workerData,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    this.#worker.unref();
  }

  search(fds: readonly number[], signal: AbortSignal): Promise<readonly (readonly FoundLine[] | undefined)[]> {
    return new Promise((resolve, reject) => {
      const abort = () => settle(() => reject(signal.reason));
      const answered = (found: readonly (readonly FoundLine[] | undefined)[]) => settle(() => resolve(found));
      const failed = (error: unknown) => settle(() => reject(error));
      const exited = () => failed(new Error("the search thread ended"));
      const settle = (act: () => void) => {
        signal.removeEventListener("abort", abort);
        this.#worker.off("message", answered).off("error", failed).off("exit", exited).unref();
        act();
      };
      signal.addEventListener("abort", abort);
      this.#worker.once("message", answered).once("error", failed).once("exit", exited).ref();
      if (signal.aborted) abort();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      else this.#worker.postMessage(fds);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

import { Semaphore, unlessAborted } from "@dispatch/tools-interface/internal";
import { FilesError } from "../error/files-error.ts";
import { fill } from "../text/bytes.ts";
import { ThreadPool } from "../thread/thread-pool.ts";
import type { JobName, JobRequest, JobResult } from "../thread/thread-worker.ts";

/** Milliseconds that a document may take. */
const TIMEOUT_MS = 20_000;
/** Bytes by which the process may grow meanwhile: more than a document needs, less than a host can do without. */
const MAX_GROWTH = 768 * 1024 * 1024;
/** Milliseconds between two looks at the memory. */
const WATCH_MS = 20;

/**
 * Work on untrusted documents, one at a time in a thread that ends when it takes too much time or memory. Decoders
 * allocate outside a thread's own limits, so the memory of the process is watched.
 */
export class GuardedWork<Name extends JobName> {
  readonly #name: Name;
  readonly #threads = new ThreadPool(1);
  readonly #queue = new Semaphore(1);

  constructor(name: Name) {
    this.#name = name;
  }

  /**
   * @throws {FilesError} When a limit ends it; code `file_too_large`. Its message begins with `attempt`.
   */
  run(request: JobRequest<Name>, attempt: string, signal: AbortSignal): Promise<JobResult<Name>> {
    return unlessAborted(
      this.#queue.run(() => this.#watched(request, attempt, signal)),
      signal,
    );
  }

  async #watched(request: JobRequest<Name>, attempt: string, signal: AbortSignal): Promise<JobResult<Name>> {
    signal.throwIfAborted();
    const limit = new AbortController();
    const end = (why: string) =>
      limit.abort(
        new FilesError(`${attempt}: to read it takes ${why}, use another tool for it`, { code: "file_too_large" }),
      );
    const [began, before] = [performance.now(), process.memoryUsage.rss()];
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > MAX_GROWTH) end(`more than ${MAX_GROWTH / 1024 / 1024} MiB of memory`);
      else if (performance.now() - began > TIMEOUT_MS) end(`more than ${TIMEOUT_MS / 1000} s`);
    }, WATCH_MS);
    try {
      return await this.#threads.run(this.#name, request, AbortSignal.any([signal, limit.signal]));
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === "ERR_WORKER_OUT_OF_MEMORY") end("too much memory");
      limit.signal.throwIfAborted();
      throw error;
    } finally {
      clearInterval(watch);
    }
  }
}

/** Largest image or document that is read: 32 MiB. */
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;

/**
 * All bytes of an open file that is no text. `known` are those that were read already.
 *
 * @throws {FilesError} Code `file_too_large`.
 */
export function documentBytes(fd: number, known: Buffer | undefined, size: number, attempt: string): Buffer {
  if (known !== undefined) return known;
  if (size > MAX_DOCUMENT_BYTES)
    throw new FilesError(
      `${attempt}: it is ${size} bytes long, allowed for images and documents are ${MAX_DOCUMENT_BYTES}; use another tool for it`,
      { code: "file_too_large" },
    );
  return fill(fd, Buffer.allocUnsafeSlow(size), 0);
}

// The program of every thread: does the job that a message names. To add a job, add it to `JOBS`.
import { parentPort } from "node:worker_threads";
import { FilesError } from "../error/files-error.ts";

/**
 * The jobs that threads do, by name. Each is a function of one value, which is copied to the thread as its result is copied
 * back. A thread loads the code of a job when it first does it.
 */
const JOBS = {
  encodedForms: async () => (await import("../text/encoding-name.ts")).encodedForms,
  listPage: async () => (await import("../list/list-page.ts")).listPageHere,
  listTree: async () => (await import("../list/list-tree.ts")).listTreeHere,
  makeEdit: async () => (await import("../edit/make-edit.ts")).makeEdit,
  patched: async () => (await import("../patch/patch-bytes.ts")).patched,
  conflictMessage: async () => (await import("../version/version-conflict.ts")).conflictMessage,
  searchFiles: async () => (await import("../search/file-search.ts")).searchFiles,
  notebookCells: async () => (await import("../document/notebook-cells.ts")).notebookCells,
  pdfPages: async () => (await import("../document/pdf-pages.ts")).pdfPages,
  resizedImage: async () => (await import("../document/resize-image.ts")).resizedImage,
} as const;

export type JobName = keyof typeof JOBS;

type Job<Name extends JobName> = Awaited<ReturnType<(typeof JOBS)[Name]>>;

export type JobRequest<Name extends JobName> = Parameters<Job<Name>>[0];

export type JobResult<Name extends JobName> = Awaited<ReturnType<Job<Name>>>;

/** The answer of a thread: the result, or a {@link FilesError}, whose class a copy loses. */
export type JobAnswer = { readonly value: unknown } | { readonly code: string; readonly message: string };

async function answer(name: JobName, request: never): Promise<JobAnswer> {
  try {
    const job = (await JOBS[name]()) as (request: never) => unknown;
    return { value: await job(request) };
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    return { code: error.code, message: error.message };
  }
}

parentPort?.on("message", async ({ name, request }: { readonly name: JobName; readonly request: never }) =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(await answer(name, request)),
);
